// The hosts found by name, or in another order, in place of those with the most pages.
const PAUSE = 250;

export class HostFilter {
  constructor(root) {
    const head = root.querySelector("[data-host-filter]");
    this.address = head.dataset.hostFilter;
    this.query = head.querySelector("input");
    this.buttons = [...head.querySelectorAll("button")];
    this.most = root.querySelector("#hosts");
    this.found = root.querySelector("[data-hosts-found]");
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

  async ask() {
    const wanted = new URLSearchParams({ q: this.query.value, sort: this.sort }).toString();
    this.wanted = wanted;
    const plain = !this.query.value.trim() && !this.sort;
    if (!plain) {
      const answer = await fetch(`${this.address}?${wanted}`).catch(() => null);
      if (this.wanted !== wanted) return;
      if (answer?.ok) this.found.innerHTML = await answer.text();
      else this.found.textContent = "The hosts could not be read. Try again.";
    }
    this.found.hidden = plain;
    this.most.hidden = !plain;
  }
}
