// Keeps part of a page up to date: asks every two seconds while the page is seen, and says in the
// part's [data-stale] when the site does not answer.
const EVERY = 2000;
const PATIENCE = 2500;
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

export class Polling {
  // `address` returns what to ask for now, or null once nothing changes any more; `apply` takes the
  // answer's JSON; `meanwhile` is what goes on without the page.
  constructor(part, { address, apply, meanwhile }) {
    Object.assign(this, { part, address, apply, meanwhile });
    this.heard = new Date();
    document.addEventListener("visibilitychange", () => this.ask());
    this.next();
  }

  next() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), EVERY);
  }

  async ask() {
    clearTimeout(this.timer);
    const address = this.address();
    if (document.hidden || address === null) return;
    const number = (this.asked = (this.asked ?? 0) + 1);
    const answer = await this.answer(address);
    if (number !== this.asked) return;
    if (answer) this.apply(answer);
    this.tellAge(Boolean(answer));
    this.next();
  }

  async answer(address) {
    try {
      const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE) });
      return answer.ok && !answer.redirected ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  tellAge(answered) {
    const said = this.part.querySelector("[data-stale]");
    if (answered) this.heard = new Date();
    else if (said.hidden) said.textContent = `No answer from the site. What is shown is as of ${clock.format(this.heard)}; ${this.meanwhile}.`;
    said.hidden = answered;
    this.part.toggleAttribute("data-old", !answered);
  }
}
