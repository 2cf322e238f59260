// First ten minutes: steps tick themselves when they are done, in any order. What is done, and
// that the guide was hidden, is kept in this browser for the person; #first-ten-minutes shows it.
const SETTLED = 100;
const LABELS = 5;

export class Guide {
  constructor(root) {
    this.element = root.querySelector("[data-guide]");
    if (!this.element) return;
    this.key = `first-ten-minutes-${this.element.dataset.guide}`;
    this.kept = { done: [], labels: 0, hidden: false, ...JSON.parse(localStorage.getItem(this.key) ?? "{}") };
    this.steps = [...this.element.querySelectorAll("[data-step]")];
    this.element.querySelector("[data-guide-show]").addEventListener("click", () => this.showMe());
    this.element.querySelector("[data-guide-hide]").addEventListener("click", () => this.hide(true));
    this.element.addEventListener("submit", () => this.tick("again"));
    root.addEventListener("click", (event) => this.clicked(event.target));
    root.querySelector("[data-delta]")?.addEventListener("change", () => this.tick("delta"));
    addEventListener("hashchange", () => this.askedFor());
    this.show();
    this.askedFor();
  }

  apply(status) {
    if (this.element && status.pages >= SETTLED) this.tick("settle");
  }

  clicked(target) {
    if (target.closest("[data-why]")) this.tick("why");
    if (!target.closest("[data-label]")) return;
    this.kept.labels += 1;
    this.keep();
    if (this.kept.labels >= LABELS) this.tick("label");
  }

  tick(step) {
    if (this.kept.done.includes(step)) return;
    this.kept.done.push(step);
    this.keep();
    this.show();
  }

  hide(hidden) {
    this.kept.hidden = hidden;
    this.keep();
    this.show();
  }

  askedFor() {
    if (location.hash === "#first-ten-minutes") this.hide(false);
  }

  keep() {
    localStorage.setItem(this.key, JSON.stringify(this.kept));
  }

  present() {
    return this.steps.find((step) => !this.kept.done.includes(step.dataset.step));
  }

  show() {
    const present = this.present();
    for (const step of this.steps) {
      step.toggleAttribute("data-done", this.kept.done.includes(step.dataset.step));
      if (step === present) step.setAttribute("aria-current", "step");
      else step.removeAttribute("aria-current");
    }
    const count = this.steps.filter((step) => step.hasAttribute("data-done")).length;
    const words = `${count} of ${this.steps.length} done`;
    const place = this.element.querySelector("[data-guide-count]");
    if (place.textContent !== words) place.textContent = words;
    this.element.querySelector("[data-guide-show]").hidden = !present;
    this.element.hidden = this.kept.hidden;
  }

  // Scrolls to the control of the present step and focuses it.
  showMe() {
    const control = document.querySelector(this.present().dataset.shows);
    if (!control) return;
    control.scrollIntoView({ block: "center" });
    if (control.tabIndex < 0) control.tabIndex = -1;
    control.focus({ preventScroll: true });
  }
}
