import { failureNote } from "../failures.js";
import { request } from "../server.js";

// The hosts searched by name, or in another order, in place of those with the most pages.
const PAUSE = 250;

export class HostFilter {
  constructor(root) {
    const head = root.querySelector("[data-host-filter]");
    this.address = head.dataset.hostFilter;
    this.query = head.querySelector("input");
    this.buttons = [...head.querySelectorAll("button")];
    this.most = root.querySelector("#hosts");
    this.matches = root.querySelector("[data-hosts-found]");
    this.sort = "";
    this.query.addEventListener("input", () => this.later());
    for (const button of this.buttons) button.addEventListener("click", () => this.choose(button));
    root.addEventListener("hostswitched", () => this.later());
  }

  choose(button) {
    for (const each of this.buttons) each.setAttribute("aria-pressed", String(each === button));
    this.sort = button.value;
    this.ask();
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), PAUSE);
  }

  // The hosts as a fragment, or why they cannot be had.
  async read(query) {
    try {
      const answer = await request(`${this.address}?${query}`);
      return document.createRange().createContextualFragment(await answer.text());
    } catch (failure) {
      return failureNote(failure, "The hosts are not searched.");
    }
  }

  async ask() {
    const wanted = new URLSearchParams({ q: this.query.value, sort: this.sort }).toString();
    this.wanted = wanted;
    const plain = !this.query.value.trim() && !this.sort;
    if (!plain) {
      const html = await this.read(wanted);
      if (this.wanted !== wanted) return;
      this.matches.replaceChildren(html);
    }
    this.matches.hidden = plain;
    this.most.hidden = !plain;
  }
}
