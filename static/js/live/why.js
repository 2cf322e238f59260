import { failureNote } from "../failures.js";
import { request } from "../server.js";

// Why a page or a waiting link has its priority: fetched when it is opened, shown below its row.
export class Why {
  constructor(root) {
    this.address = root.querySelector("[data-feed]").dataset.whys;
    root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-why]");
      if (button) this.toggle(button, button.closest("tr"));
    });
  }

  async toggle(button, row) {
    const open = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!open));
    if (open) {
      if (row.nextElementSibling?.matches(".why-row")) row.nextElementSibling.remove();
      return;
    }
    const below = document.createElement("tr");
    below.className = "why-row";
    below.innerHTML = `<td colspan="${row.children.length}" role="status">Reading the page again…</td>`;
    row.after(below);
    const address = this.address.replace(/0\/$/, `${row.dataset.number}/`);
    const cell = below.firstElementChild;
    try {
      cell.innerHTML = await (await request(address)).text();
    } catch (failure) {
      cell.replaceChildren(failureNote(failure, "The page is not explained."));
    }
  }
}
