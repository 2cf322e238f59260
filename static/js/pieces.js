// Pieces of a screen change in place; once the answer says that all has ended, the screen is read anew.
import { Polling } from "./polling.js";

const part = document.querySelector("[data-pieces]");

function apply({ rows, ended }) {
  if (ended) return location.reload();
  for (const [id, { html, stamp }] of Object.entries(rows)) {
    const piece = part.querySelector(`[data-piece="${CSS.escape(id)}"]`);
    if (!piece || piece.dataset.stamp === stamp) continue;
    const hadFocus = piece.contains(document.activeElement);
    piece.innerHTML = html;
    piece.dataset.stamp = stamp;
    if (hadFocus) piece.querySelector("a, button")?.focus({ preventScroll: true });
  }
}

new Polling(part, { address: () => part.dataset.pieces, apply, meanwhile: "runs go on" });
