// Pause, continue, stop, budget and δ: sent without leaving the page; refusals are shown in place.
import { dropDraftOf } from "../drafts.js";
import { clearFailures, showFailure } from "../failures.js";
import { clear, say } from "../messages.js";
import { post } from "../server.js";

const SETTLE = 300;
const sending = new WeakSet();

export class Controls {
  constructor(root) {
    this.root = root;
    this.slider = root.querySelector("[data-delta]");
    this.value = root.querySelector("#delta-value");
    this.deltaForm = document.getElementById("form-delta");
    this.budget = document.getElementById("budget");
    document.addEventListener("submit", (event) => this.submit(event));
    root.addEventListener("click", (event) => this.openOrClose(event));
    addEventListener("hashchange", () => this.enterPanel());
    addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.panel()) this.closePanels();
    });
    this.enterPanel();
    if (this.slider) this.setUpSlider();
  }

  apply(status) {
    this.root.dataset.state = status.state;
    this.root.dataset.desired = status.desired;
    const asked = status.state === "running" && status.desired !== "run";
    for (const control of this.root.querySelectorAll("[data-when]")) {
      this.keepFocus(control, !control.dataset.when.split(" ").includes(status.state));
      for (const button of control.matches("button") ? [control] : control.querySelectorAll("button")) {
        button.disabled = asked;
      }
    }
    if (this.slider && "mayChange" in this.root.dataset) {
      this.slider.disabled = ["finished", "failed"].includes(status.state);
    }
    if (this.budget) this.proposeBudget(status.next_budget);
    if (this.slider && !this.sliding && status.delta !== null) this.showDelta(status.delta);
  }

  // What was typed there stays.
  proposeBudget(pages) {
    this.proposed ??= this.budget.defaultValue;
    if (this.budget === document.activeElement || this.budget.value !== this.proposed) return;
    this.proposed = String(pages);
    this.budget.value = this.proposed;
  }

  // A button that replaces a focused one gets the focus.
  keepFocus(control, hide) {
    const had = hide && !control.hidden && control.contains(document.activeElement);
    control.hidden = hide;
    if (had) this.wantsFocus = control.parentElement;
    if (!hide && this.wantsFocus === control.parentElement) {
      control.querySelector("button")?.focus();
      this.wantsFocus = null;
    }
  }

  async submit(event) {
    const form = event.target;
    if (!form.matches("[data-live-form]")) return;
    event.preventDefault();
    if (sending.has(form)) return; // pressed twice
    sending.add(form);
    const body = new FormData(form, event.submitter);
    // A field named "action" hides the property of that name.
    const answer = await this.send(form.getAttribute("action"), body, event.submitter ?? form);
    sending.delete(form);
    if (!answer) return;
    dropDraftOf(form);
    if (form.elements.was) form.elements.was.value = form.elements.value.value;
    this.closePanels();
    if ("once" in form.dataset) form.remove();
    event.submitter?.dispatchEvent(new Event("submitted", { bubbles: true }));
    if (event.submitter?.matches(".switch")) {
      this.turn(event.submitter);
      this.root.dispatchEvent(new Event("hostswitched"));
    }
  }

  // The table is not updated while it has the focus, so the switch shows its new state itself.
  turn(button) {
    const isIn = button.getAttribute("aria-checked") !== "true";
    button.setAttribute("aria-checked", String(isIn));
    button.setAttribute("form", isIn ? "form-exclude_host" : "form-include_host");
    button.parentElement.querySelector(".switched").textContent = isIn ? "in" : "out";
  }

  // The response of an accepted request; null if it failed, which is shown beside the control.
  async send(address, body, control) {
    clear();
    clearFailures();
    try {
      const result = await post(address, body);
      if (result.message) say(result.message);
      return result;
    } catch (failure) {
      showFailure(failure, control);
      const was = control.form?.elements.was;
      if (was && failure.present !== undefined) was.value = failure.present;
      return null;
    }
  }

  openOrClose(event) {
    const link = event.target.closest("a[href^='#']");
    if (!link) return;
    if (link.closest(".panel")) {
      event.preventDefault();
      this.closePanels();
    } else {
      if (!location.hash) this.cameFrom = scrollY;
      this.opener = link.closest("details.menu")?.querySelector("summary") ?? link;
    }
  }

  // The panel that the address opens, or null.
  panel() {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    return target && target.matches(".panel") ? target : null;
  }

  // The question's first field has the focus, and the menu that led here is closed.
  enterPanel() {
    const field = this.panel()?.querySelector("input:not([type=hidden]), textarea, button");
    if (!field) return;
    for (const menu of this.root.querySelectorAll("details.menu[open]")) menu.open = false;
    field.focus({ preventScroll: true });
  }

  // The address says which panel is open; leaving it closes the panel and restores the scroll
  // position, and the focus where it was within.
  closePanels() {
    if (!location.hash) return;
    const within = this.panel()?.contains(document.activeElement);
    location.hash = "";
    history.replaceState(null, "", location.pathname);
    scrollTo({ top: this.cameFrom ?? scrollY, behavior: "instant" });
    if (within) (this.opener ?? this.root.querySelector("details.menu > summary"))?.focus({ preventScroll: true });
  }

  // δ applies on release; arrow keys release at every step, so only the last one counts.
  setUpSlider() {
    this.slider.addEventListener("input", () => {
      this.sliding = true;
      this.value.textContent = Number(this.slider.value).toFixed(2);
    });
    this.slider.addEventListener("change", () => {
      clearTimeout(this.released);
      this.released = setTimeout(() => this.sendDelta(), SETTLE);
    });
  }

  async sendDelta() {
    const wanted = Number(this.slider.value);
    const before = this.delta;
    if (wanted !== before) {
      const body = new FormData(this.deltaForm);
      body.set("value", wanted);
      this.delta = wanted;
      const sent = await this.send(this.deltaForm.getAttribute("action"), body, this.slider);
      if (!sent) this.showDelta(before);
    }
    this.sliding = false;
  }

  showDelta(value) {
    this.delta = value;
    this.slider.value = value;
    this.value.textContent = value.toFixed(2);
  }
}
