// The list of pages. New pages appear automatically; the list holds while it is hovered, focused,
// held by its button, or while something in it is open. Unsure and relevant pages are fetched on
// request and are not updated.
import { patched } from "./patches.js";

const MOST_ROWS = 20;

// A row whose controls are told apart by the number of its page, which is sent once only.
function named(row) {
  row.querySelector(".yes-no").setAttribute("aria-label", `Label page ${row.dataset.seq}`);
  row.querySelector("[data-why]").setAttribute("aria-label", `Why page ${row.dataset.seq}`);
  return row;
}

export class Feed {
  constructor(root) {
    this.root = root;
    this.body = root.querySelector("[data-feed]");
    this.empty = root.querySelector("[data-feed-empty]");
    this.note = root.querySelector("[data-feed-new]");
    this.button = root.querySelector("[data-feed-hold]");
    this.filter = root.querySelector("[data-feed-filter]");
    this.order = root.querySelector("[data-feed-order]");
    this.chosen = "";
    this.pending = [];
    this.rows().forEach(named);
    this.newest = this.newestShown();
    this.pages = this.newest;
    this.button.addEventListener("click", () => this.toggle());
    this.body.addEventListener("pointerleave", () => this.show());
    this.body.addEventListener("focusout", () => setTimeout(() => this.show()));
    this.filter.addEventListener("click", (event) => this.choose(event.target.closest("button")));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  rows() {
    return [...this.body.querySelectorAll("tr[data-seq]")];
  }

  newestShown() {
    const first = this.body.querySelector("tr[data-seq]");
    return first ? Number(first.dataset.seq) : 0;
  }

  // `rows` is HTML, or a patch of the sample row.
  apply(rows, pages, sample) {
    this.pages = Math.max(this.pages, pages);
    const known = this.pending.length ? Number(this.pending[0].dataset.seq) : this.newest;
    const fresh = this.made(patched(sample, rows)).filter((row) => Number(row.dataset.seq) > known);
    this.pending = [...fresh, ...this.pending].slice(0, MOST_ROWS);
    this.show();
  }

  made(html) {
    const holder = document.createElement("template");
    holder.innerHTML = `<table><tbody>${html}</tbody></table>`;
    return [...holder.content.querySelectorAll("tr")].map(named);
  }

  held() {
    return this.chosen !== ""
      || this.button.getAttribute("aria-pressed") === "true"
      || this.body.matches(":hover")
      || this.body.contains(document.activeElement)
      || this.body.querySelector("[aria-expanded=true]") !== null;
  }

  show() {
    if (!this.held() && this.pending.length) {
      this.pending.forEach((row) => row.classList.add("fresh"));
      this.newest = Number(this.pending[0].dataset.seq);
      this.body.prepend(...this.pending);
      this.pending = [];
      while (this.body.children.length > MOST_ROWS) this.body.lastElementChild.remove();
    }
    const missed = this.pending.length ? this.pages - this.newest : 0;
    this.note.textContent = missed > 0 ? `${missed.toLocaleString("en-GB")} new page${missed === 1 ? "" : "s"}` : "";
    this.empty.hidden = this.body.children.length > 0;
  }

  toggle() {
    const pressed = this.button.getAttribute("aria-pressed") !== "true";
    this.button.setAttribute("aria-pressed", String(pressed));
    this.button.querySelector("span").textContent = pressed ? "Let it run" : "Hold the list";
    this.show();
  }

  async choose(button) {
    if (!button) return;
    for (const each of this.filter.children) each.setAttribute("aria-pressed", String(each === button));
    this.order.textContent = button.value === "unsure" ? "Least sure first." : "Newest first.";
    this.chosen = button.value;
    const wanted = button.value;
    const answer = await fetch(`${this.body.dataset.pages}?show=${wanted}`).catch(() => null);
    if (this.chosen !== wanted || !answer?.ok) return;
    this.body.replaceChildren(...this.made(await answer.text()));
    if (!wanted) {
      this.newest = this.newestShown();
      this.pending = [];
    }
    this.show();
  }

  // j and k move through the proposed pages, if any, then the list; y, n, s and w press the row's
  // buttons, unless a field has the focus.
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    const row = document.activeElement.closest("tr[data-seq]");
    if (event.key === "j" || event.key === "k") this.move(row, event.key === "j" ? 1 : -1);
    else if (row && "ynYN".includes(event.key)) {
      const button = row.querySelector(`[data-label="${event.key.toLowerCase()}"]`);
      button?.dispatchEvent(new MouseEvent("click", { bubbles: true, shiftKey: event.shiftKey }));
    }
    else if (row && event.key === "s") row.querySelector("[data-skip]")?.click();
    else if (row && event.key === "w") row.querySelector("[data-why]")?.click();
    else return;
    event.preventDefault();
  }

  move(row, step) {
    const rows = [...this.root.querySelectorAll("tr[data-seq]")];
    const next = row ? rows.indexOf(row) + step : 0;
    rows[Math.min(rows.length - 1, Math.max(0, next))]?.focus();
  }
}
