// Repeat a paper: the states of the protocols change in place.
import { Polling } from "./polling.js";

const papers = document.querySelector("[data-papers]");

function apply({ rows }) {
  for (const [id, { html, stamp }] of Object.entries(rows)) {
    const state = papers.querySelector(`[data-state="${CSS.escape(id)}"]`);
    if (!state || state.dataset.stamp === stamp) continue;
    const hadFocus = state.contains(document.activeElement);
    state.innerHTML = html;
    state.dataset.stamp = stamp;
    if (hadFocus) state.querySelector("a, button")?.focus({ preventScroll: true });
  }
}

new Polling(papers, { address: () => papers.dataset.papers, apply, meanwhile: "runs go on" });
