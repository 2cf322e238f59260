// The note of a web, changed where it stands: Enter saves, Escape keeps the old one.
import { keepField } from "../drafts.js";
import { clearFailures, showFailure } from "../failures.js";
import { say } from "../messages.js";
import { post } from "../server.js";

// The note as it is now; null if it could not be changed, which is shown beside it. A note that was
// changed elsewhere is replaced when it is saved again.
async function send(place, note, before) {
  clearFailures();
  try {
    const was = place.dataset.was ?? before;
    return (await post(place.dataset.note, new URLSearchParams({ note, was }))).note;
  } catch (failure) {
    showFailure(failure, place, "The note was not changed.");
    if (failure.present !== undefined) place.dataset.was = failure.present;
    return null;
  }
}

function show(address, note) {
  const button = document.querySelector(`[data-note="${address}"] [data-note-edit]`);
  button.classList.toggle("is-empty", !note);
  button.querySelector("[data-note-words]").textContent = note || "add note";
  return button;
}

async function save(place, note, before) {
  const now = await send(place, note, before);
  if (now === null) return false;
  delete place.dataset.was;
  if (now !== before) {
    say(`Note of ${place.dataset.of} saved.`, () => save(place, before, now));
  }
  show(place.dataset.note, now);
  return true;
}

function edit(place) {
  const button = place.querySelector("[data-note-edit]");
  const before = button.classList.contains("is-empty") ? "" : button.querySelector("[data-note-words]").textContent;
  const input = Object.assign(document.createElement("input"), { type: "text", value: before, maxLength: 200 });
  input.setAttribute("aria-label", `Note of ${place.dataset.of}: Enter saves, Escape keeps the old one`);
  place.toggleAttribute("data-writing", true);
  button.hidden = true;
  const drop = keepField(input, place.dataset.note);
  place.append(input);
  input.focus();
  let isOpen = true;
  const close = () => {
    drop();
    isOpen = false; // removing the field takes the focus from it
    input.remove();
    button.hidden = false;
    place.toggleAttribute("data-writing", false);
  };
  input.addEventListener("keydown", async (event) => {
    if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter" && !(await save(place, input.value, before))) return;
    close();
    button.focus();
  });
  input.addEventListener("blur", () => {
    if (isOpen && input.value === before) close();
  });
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-note-edit]");
  if (button) edit(button.parentElement);
});
