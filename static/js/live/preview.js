import { failureNote } from "../failures.js";
import { request } from "../server.js";

// Shows which waiting links a pattern matches, before it is excluded.
const PAUSE = 300;

export class PatternPreview {
  constructor(root) {
    this.form = root.querySelector("[data-preview]");
    if (!this.form) return;
    this.shown = this.form.querySelector("[data-previewed]");
    this.form.elements.value.addEventListener("input", (event) => this.ask(event.target.value));
    this.form.addEventListener("submit", () => this.shown.replaceChildren());
  }

  ask(pattern) {
    clearTimeout(this.timer);
    this.wanted = pattern;
    this.timer = setTimeout(async () => {
      const query = new URLSearchParams({ pattern });
      try {
        const html = await (await request(`${this.form.dataset.preview}?${query}`)).text();
        if (this.wanted === pattern) this.shown.innerHTML = html;
      } catch (failure) {
        this.shown.replaceChildren(failureNote(failure, "The frontier is not searched."));
      }
    }, PAUSE);
  }
}
