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
      const answer = await fetch(`${this.form.dataset.preview}?${query}`).catch(() => null);
      if (this.wanted !== pattern) return;
      if (answer?.ok) this.shown.innerHTML = await answer.text();
      else this.shown.textContent = "The frontier could not be searched. Try again.";
    }, PAUSE);
  }
}
