// The list of pages. New pages appear automatically; the list holds while it is hovered, focused,
// held by its button, or while something in it is open. Unsure and relevant pages are fetched on
// request and are not updated.
import { showFailure } from "../failures.js";
import { request } from "../server.js";
import { Rows } from "../rows.js";

const MOST_ROWS = 20;

// A row whose controls are told apart by the title of its page, which is sent once only.
function named(row) {
  const title = `${row.querySelector(".name").textContent}, page ${row.dataset.seq}`;
  row.querySelector(".yes-no").setAttribute("aria-label", `Label ${title}`);
  row.querySelector("[data-why]").setAttribute("aria-label", `Why ${title}`);
  return row;
}

function label(row, letter, shiftKey = false) {
  const button = row.querySelector(`[data-label="${letter}"]`);
  button?.dispatchEvent(new MouseEvent("click", { bubbles: true, shiftKey }));
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
    // Through the proposed pages, if any, then the list; the keys press the row's buttons.
    new Rows(root, {
      row: "tr[data-seq]",
      keys: {
        y: (row) => label(row, "y"), n: (row) => label(row, "n"),
        Y: (row) => label(row, "y", true), N: (row) => label(row, "n", true),
        s: (row) => row.querySelector("[data-skip]")?.click(),
        w: (row) => row.querySelector("[data-why]")?.click(),
      },
    });
  }

  rows() {
    return [...this.body.querySelectorAll("tr[data-seq]")];
  }

  newestShown() {
    const first = this.body.querySelector("tr[data-seq]");
    return first ? Number(first.dataset.seq) : 0;
  }

  apply(rows, pages) {
    this.pages = Math.max(this.pages, pages);
    const latest = this.pending.length ? Number(this.pending[0].dataset.seq) : this.newest;
    const fresh = this.made(rows).filter((row) => Number(row.dataset.seq) > latest);
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
    let html;
    try {
      html = await (await request(`${this.body.dataset.pages}?show=${wanted}`)).text();
    } catch (failure) {
      showFailure(failure, button, "The list is as it was.");
      return;
    }
    if (this.chosen !== wanted) return;
    this.body.replaceChildren(...this.made(html));
    if (!wanted) {
      this.newest = this.newestShown();
      this.pending = [];
    }
    this.show();
  }
}
