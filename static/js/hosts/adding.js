// Hosts that are added: the site reads what was pasted, shows it unless it is plain lines without a
// mistake, and only what was taken is decided on.
import { readLists } from "../list-reading.js";

const form = document.querySelector("[data-add-hosts]");
let pressed = null; // the button whose decision waits for the reading

if (form) {
  readLists(form);
  form.addEventListener("submit", (event) => {
    if (!form.elements.pasted.value.trim()) return;
    event.preventDefault();
    if (pressed) return; // pressed again while it is read
    pressed = event.submitter ?? form.querySelector("[name=state]");
    form.querySelector("[data-read-pasted]").click();
  });
  form.addEventListener("listtaken", () => {
    const button = pressed;
    pressed = null;
    if (!button) return;
    form.elements.pasted.value = "";
    form.requestSubmit(button);
  });
  form.addEventListener("listfailed", () => { pressed = null; });
  form.elements.file.addEventListener("change", () => { pressed = null; }, { capture: true });
  // A press in the dialog is one beside the menu, which closes.
  document.querySelector("[data-list-dialog]").addEventListener("close", () => {
    pressed = null;
    form.closest("details").open = true;
  });
}
