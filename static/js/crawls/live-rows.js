// Keeps the rows up to date: fetches the changed ones every two seconds and replaces them. New
// crawls are announced by a line; the page says when the site does not answer.
import { localiseClocks } from "../clocks.js";

const EVERY = 2000;
const PATIENCE = 2500;
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

export class LiveRows {
  constructor(list, selection) {
    this.list = list;
    this.selection = selection;
    this.heard = new Date();
    this.looks = selection.rows().map((row) => row.dataset.crawl);
    list.addEventListener("crawls-changed", () => this.ask());
    document.addEventListener("visibilitychange", () => this.ask());
    this.next();
  }

  next() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), EVERY);
  }

  async ask() {
    clearTimeout(this.timer);
    if (document.hidden) return;
    const number = (this.asked = (this.asked ?? 0) + 1);
    const answer = await this.answer();
    if (number !== this.asked) return;
    if (answer) this.apply(answer);
    this.tellAge(Boolean(answer));
    this.next();
  }

  async answer() {
    const query = new URLSearchParams(location.search);
    query.set("newest", this.list.dataset.newest);
    query.set("tops", this.list.dataset.tops);
    query.set("shown", this.looks.map((crawl) => `${crawl}:${this.row(crawl).dataset.stamp}`).join(","));
    try {
      const signal = AbortSignal.timeout(PATIENCE);
      const answer = await fetch(`${this.list.dataset.rows}?${query}`, { signal });
      return answer.ok && !answer.redirected ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  row(crawl) { return document.getElementById(`crawl-${crawl}`); }

  apply(answer) {
    for (const [crawl, html] of Object.entries(answer.rows)) this.replace(crawl, html);
    for (const crawl of answer.gone) this.leave(String(crawl));
    const waiting = this.list.querySelector("[data-new]");
    waiting.hidden = !answer.new;
    waiting.firstElementChild.textContent = `${answer.new} new crawl${answer.new === 1 ? "" : "s"}. Show`;
    const facts = answer.facts.map((fact) => Object.assign(document.createElement("span"), { textContent: fact }));
    document.querySelector("[data-facts]").replaceChildren(...facts);
    const counts = document.querySelectorAll("[data-count]");
    answer.states.forEach((number, i) => (counts[i].textContent = number.toLocaleString("en-GB")));
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

  tellAge(answered) {
    const said = this.list.querySelector("[data-stale]");
    if (answered) this.heard = new Date();
    else if (said.hidden) said.textContent = `No answer from the site. What is shown is as of ${clock.format(this.heard)}; crawls go on.`;
    said.hidden = answered;
    this.list.toggleAttribute("data-old", !answered);
  }
}
