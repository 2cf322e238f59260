// The note of a web, changed where it stands: Enter saves, Escape keeps the old one.
import { refuse, say } from "../messages.js";

const UNREACHED = "The site does not answer: the note was not changed. Try again.";

const token = () => document.querySelector("[name=csrfmiddlewaretoken]").value;

// The note as it is now, or null with the reason as a message.
async function send(place, note) {
  const body = new URLSearchParams({ note, csrfmiddlewaretoken: token() });
  const headers = { Accept: "application/json" };
  const answer = await fetch(place.dataset.note, { method: "POST", body, headers }).catch(() => null);
  const said = await answer?.json().catch(() => null);
  if (answer?.ok && said) return said.note;
  refuse(said?.message ?? UNREACHED);
  return null;
}

function show(address, note) {
  const button = document.querySelector(`[data-note="${address}"] [data-note-edit]`);
  button.classList.toggle("is-empty", !note);
  button.querySelector("[data-note-words]").textContent = note || "add note";
  return button;
}

async function save(place, note, before) {
  const now = await send(place, note);
  if (now === null) return false;
  if (now !== before) {
    say(`Note of ${place.dataset.of} saved.`, () => save(place, before, before));
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
  place.append(input);
  input.focus();
  let isOpen = true;
  const close = () => {
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
