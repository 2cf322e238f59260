// Keeps part of a page up to date: asks every two seconds while the page is seen. The part's
// [data-stale] has the reason where no answer comes.
import { reason, wayOn } from "./failures.js";
import { request } from "./server.js";

const EVERY = 2000;
const PATIENCE = 2500;
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

export class Polling {
  // `address` returns what to ask for now, or null once nothing changes any more; `apply` takes the
  // answer's JSON; `meanwhile` is what goes on without the page.
  constructor(part, { address, apply, meanwhile }) {
    Object.assign(this, { part, address, apply, meanwhile });
    this.answeredAt = new Date();
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
    try {
      const answer = await request(address, { signal: AbortSignal.timeout(PATIENCE) });
      const changes = await answer.json();
      if (number !== this.asked) return;
      this.apply(changes);
      this.answeredAt = new Date();
      this.showAge(null);
    } catch (failure) {
      if (number !== this.asked) return;
      this.showAge(failure);
    }
    this.next();
  }

  // The line is written once for each kind of failure, so that it is read aloud once.
  showAge(failure) {
    const line = this.part.querySelector("[data-stale]");
    const kind = failure?.kind ?? (failure ? "unreachable" : "");
    if (failure && line.dataset.stale !== kind) {
      const age = `What is shown is as of ${clock.format(this.answeredAt)}; ${this.meanwhile}.`;
      const isSignedOut = kind === "signed-out";
      line.replaceChildren(isSignedOut ? `${reason(failure)} ` : "No answer from the site. ", ...(isSignedOut ? wayOn(failure, age) : [age]));
    }
    line.dataset.stale = kind;
    line.hidden = !failure;
    this.part.toggleAttribute("data-old", Boolean(failure));
  }
}
