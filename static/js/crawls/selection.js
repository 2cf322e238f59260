// The selected crawls, and the bar of actions on them.
import { keepField } from "../drafts.js";
import { failureNote } from "../failures.js";
import { changed, done, send } from "./commands.js";

const MOST_COMPARED = 8;
const WRITTEN = { tag: "Tags to add, separated by commas", note: "Note for each" };

export class Selection {
  constructor(list, rows) {
    this.rows = rows;
    this.list = list;
    this.bar = list.querySelector("[data-selection]");
    this.words = this.bar.querySelector("[data-selected]");
    this.nothing = this.words.textContent;
    this.why = this.bar.querySelector("[data-why]");
    this.verbs = [...this.bar.querySelectorAll("[data-verb]")];
    this.compare = this.bar.querySelector("[data-compare]");
    this.download = this.bar.querySelector("[data-download]");
    list.addEventListener("change", (event) => this.pick(event.target));
    list.addEventListener("submit", (event) => event.preventDefault());
    this.bar.addEventListener("click", (event) => this.press(event.target.closest("button")));
    this.bar.addEventListener("focusin", (event) => this.tell(event.target));
    this.bar.addEventListener("focusout", () => (this.why.textContent = ""));
    this.bar.addEventListener("mouseover", (event) => this.tell(event.target));
    this.bar.addEventListener("mouseleave", () => (this.why.textContent = ""));
    this.bar.addEventListener("keydown", (event) => this.key(event));
    document.querySelector("[data-select-toggle]").addEventListener("click", () => this.choose());
    addEventListener("pageshow", () => this.show()); // a browser that goes back restores the boxes
    this.show();
  }

  pick(target) {
    if (target.matches("[data-page-box]")) this.rows.selectAll(target.checked);
    else this.show();
  }

  selected() { return this.rows.selected(); }

  clear(focus) {
    this.open("verbs");
    this.rows.clear(focus);
  }

  // On a phone rows become check boxes; the same button ends that.
  choose() {
    const choosing = this.list.toggleAttribute("data-choosing");
    document.querySelector("[data-select-toggle]").textContent = choosing ? "Done" : "Select";
    if (!choosing) this.clear();
  }

  show() {
    const rows = this.selected();
    for (const row of this.rows.all()) row.setAttribute("aria-selected", String(rows.includes(row)));
    this.words.textContent = rows.length ? `${rows.length} selected${this.alike(rows)}` : this.nothing;
    for (const button of this.verbs) this.count(button, rows);
    const can = rows.length > 1 && rows.length <= MOST_COMPARED;
    this.able(this.compare, can, rows.length > 1 ? `Compare ${rows.length}` : "Compare");
    const refusal = this.noDownload(rows);
    this.download.dataset.whyNot = refusal;
    this.download.setAttribute("aria-disabled", String(refusal !== ""));
    this.bar.querySelector("[data-clear]").hidden = !rows.length;
    this.bar.querySelector("[data-all]").hidden = rows.length === this.rows.all().length;
    const box = this.list.querySelector("[data-page-box]");
    box.checked = rows.length > 0 && rows.length === this.rows.all().length;
    box.indeterminate = rows.length > 0 && !box.checked;
  }

  // Why these crawls cannot be downloaded together; empty if they can.
  noDownload(rows) {
    if (!rows.length) return "Select crawls first";
    if (new Set(rows.map((row) => row.dataset.topicNumber)).size > 1) return "Only crawls of one topic can be downloaded together";
    return rows.some((row) => Number(row.dataset.pages)) ? "" : "No page was fetched yet";
  }

  alike(rows) {
    const only = (name) => new Set(rows.map((row) => row.dataset[name])).size === 1;
    if (!only("topic")) return only("web") ? "" : ", on different webs";
    return ` on ${rows[0].dataset.topic}${only("web") ? "" : ", different webs"}`;
  }

  count(button, rows) {
    const takes = rows.filter((row) => row.dataset.verbs.split(" ").includes(button.value)).length;
    const title = button.dataset.title.replace("…", "");
    const dots = button.dataset.title.endsWith("…") ? "…" : "";
    const of = takes === rows.length ? takes : `${takes} of ${rows.length}`;
    this.able(button, takes > 0, takes ? `${title} ${of}${dots}` : button.dataset.title);
  }

  able(button, can, words) {
    button.setAttribute("aria-disabled", String(!can));
    button.textContent = words;
  }

  // Says why an action is unavailable, while it is hovered or focused.
  tell(target) {
    const off = target.closest?.("[aria-disabled=true]");
    this.why.textContent = !off ? "" : this.selected().length || off === this.compare
      ? off.dataset.whyNot : "Select crawls first";
  }

  press(button) {
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    if (button.matches("[data-clear]")) this.clear(true);
    else if (button.matches("[data-all]")) {
      this.rows.selectAll(true);
      this.bar.querySelector("[data-clear]").focus(); // its neighbour: it has hidden itself
    }
    else if (button.matches("[data-cancel]")) this.back();
    else if (button.matches("[data-sure]")) this.carryOut([["sure", "yes"]]);
    else if (button.matches("[data-save]")) this.carryOut([["value", this.bar.querySelector("[data-write]").value]]);
    else if (button === this.compare) this.goCompare();
    else if (button === this.download) this.go(button.dataset.download);
    else this.begin(button);
  }

  goCompare() {
    if (this.compare.getAttribute("aria-disabled") === "true") return;
    this.go(this.compare.dataset.compare);
  }

  // To a page about the selected crawls.
  go(address) {
    const numbers = this.selected().map((row) => row.dataset.crawl);
    location.href = `${address}?crawls=${numbers.join(",")}`;
  }

  begin(button) {
    this.verb = button.value;
    if (this.verb in WRITTEN) {
      this.bar.querySelector("[data-write-label]").textContent = WRITTEN[this.verb];
      const input = this.open("write").querySelector("[data-write]");
      input.value = "";
      this.dropWritten = keepField(input, this.verb);
      input.focus();
    } else this.carryOut();
  }

  key(event) {
    if (event.key === "Enter" && event.target.matches("[data-write]")) {
      event.preventDefault();
      this.bar.querySelector("[data-save]").click();
    } else if (event.key === "Escape" && this.part !== "verbs") {
      event.stopPropagation();
      this.back();
    }
  }

  back() {
    this.dropWritten?.();
    this.open("verbs");
    this.verbs.find((button) => button.value === this.verb)?.focus();
  }

  open(name) {
    this.part = name;
    for (const part of this.bar.querySelectorAll("[data-part]")) part.hidden = part.dataset.part !== name;
    return this.bar.querySelector(`[data-part=${name}]`);
  }

  async carryOut(more = []) {
    const chosen = this.selected().map((row) => ["crawl", row.dataset.crawl]);
    const answer = await send(this.list.getAttribute("action"), [["do", this.verb], ...more, ...chosen], this.words);
    if (!answer) return;
    if (answer.ask) {
      this.open("ask").querySelector("[data-ask]").textContent = answer.ask;
      const sure = this.bar.querySelector("[data-sure]");
      sure.textContent = answer.button;
      sure.focus();
      return;
    }
    this.back();
    done(answer.message, answer.undo);
    if (answer.refused.length) this.bar.append(failureNote({ kind: "refused", sentence: answer.refused.join(" ") }));
    changed();
  }
}
