// Keeps the rows up to date: fetches the changed ones and replaces them. New crawls are announced by
// a line.
import { localiseClocks } from "../clocks.js";
import { announce } from "../live-list.js";
import { Polling } from "../polling.js";

export class LiveRows {
  constructor(list, selection) {
    this.list = list;
    this.selection = selection;
    this.looks = selection.rows.all().map((row) => row.dataset.crawl);
    const polling = new Polling(list, {
      address: () => this.address(), apply: (answer) => this.apply(answer), meanwhile: "crawls go on",
    });
    list.addEventListener("crawls-changed", () => polling.ask());
  }

  address() {
    const query = new URLSearchParams(location.search);
    query.set("newest", this.list.dataset.newest);
    query.set("tops", this.list.dataset.tops);
    query.set("shown", this.looks.map((crawl) => `${crawl}:${this.row(crawl).dataset.stamp}`).join(","));
    return `${this.list.dataset.rows}?${query}`;
  }

  row(crawl) { return document.getElementById(`crawl-${crawl}`); }

  apply(answer) {
    for (const [crawl, html] of Object.entries(answer.rows)) this.replace(crawl, html);
    for (const crawl of answer.gone) this.leave(String(crawl));
    announce(this.list, answer, "crawl");
    this.selection.show();
  }

  // Replaces the row in place; selection, focus and unsaved text are kept.
  replace(crawl, html) {
    const old = this.row(crawl);
    if (old.querySelector(".writing")) return;
    const holder = document.createElement("template");
    holder.innerHTML = html.trim();
    const fresh = holder.content.firstElementChild;
    const focus = old.contains(document.activeElement) ? this.placeOf(old) : null;
    fresh.querySelector("[name=crawl]").checked = old.querySelector("[name=crawl]").checked;
    fresh.tabIndex = old.tabIndex;
    old.replaceWith(fresh);
    localiseClocks(fresh);
    if (focus) (fresh.querySelector(focus) ?? fresh).focus({ preventScroll: true });
    this.looks = [...this.looks.filter((one) => one !== crawl), crawl];
  }

  placeOf(row) {
    const within = document.activeElement;
    if (within === row) return "none";
    return ["[name=crawl]", "[data-open]", "[data-annotate]", ".next > *"].find((place) => within.matches(place)) ?? "none";
  }

  // A deleted crawl's row stays, so that nothing moves, but can no longer be selected.
  leave(crawl) {
    const row = this.row(crawl);
    row.removeAttribute("data-crawl");
    row.classList.add("gone");
    row.querySelector(".why").textContent = "deleted";
    for (const control of row.querySelectorAll("input, button, a")) control.remove();
    this.looks = this.looks.filter((one) => one !== crawl);
  }
}
