// Pieces of HTML from the server. Nothing moves under the pointer: a list that is hovered or
// focused is updated when it is left, one in which something is open when that is closed.
import { localiseClocks } from "../clocks.js";

export class Fragments {
  constructor(root) {
    this.root = root;
    this.waiting = new Map();
    for (const element of root.querySelectorAll("[data-holds]")) {
      element.addEventListener("pointerleave", () => this.release(element));
      element.addEventListener("focusout", () => setTimeout(() => this.release(element)));
      element.addEventListener("click", () => setTimeout(() => this.release(element)));
    }
  }

  apply(fragments) {
    for (const [id, html] of Object.entries(fragments)) this.show(id, html);
  }

  show(id, html) {
    const element = document.getElementById(id);
    if (!element) return;
    if (this.held(element)) this.waiting.set(element, html);
    else this.fill(element, html);
  }

  held(element) {
    return element.hasAttribute("data-holds")
      && (element.matches(":hover") || element.contains(document.activeElement)
        || element.querySelector("[aria-expanded=true], details[open]") !== null);
  }

  release(element) {
    const html = this.waiting.get(element);
    if (html === undefined || this.held(element)) return;
    this.waiting.delete(element);
    this.fill(element, html);
  }

  fill(element, html) {
    this.waiting.delete(element);
    const made = document.createElement("template");
    made.innerHTML = html;
    localiseClocks(made.content);
    const before = element.innerHTML;
    const holder = document.createElement("div");
    holder.append(made.content.cloneNode(true));
    if (holder.innerHTML.trim() === before.trim()) return;
    const controls = () => [...element.querySelectorAll("a, button")];
    const focused = controls().indexOf(document.activeElement);
    element.replaceChildren(made.content);
    if (focused >= 0) (controls()[focused] ?? controls()[0])?.focus({ preventScroll: true });
  }
}
