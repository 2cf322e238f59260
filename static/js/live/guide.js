import { post } from "../server.js";

// First ten minutes: steps are ticked when they are done, in any order. What is done, and that the
// guide was hidden, is stored with the account; #first-ten-minutes shows it again.
const SETTLED = 100;

export class Guide {
  constructor(root) {
    this.element = root.querySelector("[data-guide]");
    if (!this.element) return;
    this.kept = JSON.parse(document.getElementById("guide-kept").textContent);
    this.steps = [...this.element.querySelectorAll("[data-step]")];
    this.element.querySelector("[data-guide-show]").addEventListener("click", () => this.showMe());
    this.element.querySelector("[data-guide-hide]").addEventListener("click", () => this.hide(true));
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
    if (target.closest("[data-label]")) this.tick("label");
  }

  tick(step) {
    if (this.kept.done.includes(step)) return;
    // Ticked at once; the step of five labels is counted by the server.
    if (step !== "label") this.kept.done.push(step);
    this.keep({ step });
    this.show();
  }

  hide(hidden) {
    if (this.kept.hidden === hidden) return;
    this.kept.hidden = hidden;
    this.keep({ hidden: hidden ? "1" : "" });
    this.show();
  }

  askedFor() {
    if (location.hash === "#first-ten-minutes") this.hide(false);
  }

  // One request after the other, so that an older response never replaces a newer one.
  keep(change) {
    this.last = (this.last ?? Promise.resolve()).then(() => this.send(change));
  }

  async send(change) {
    const answer = await post(this.element.dataset.guide, new URLSearchParams(change)).catch(() => null);
    if (!answer) return; // what is ticked here stays; the account has it at the next tick
    this.kept.done = [...new Set([...this.kept.done, ...answer.done])];
    this.show();
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

  // Scrolls to the control of the current step and focuses it.
  showMe() {
    const control = document.querySelector(this.present().dataset.shows);
    if (!control) return;
    control.scrollIntoView({ block: "center" });
    if (control.tabIndex < 0) control.tabIndex = -1;
    control.focus({ preventScroll: true });
  }
}
