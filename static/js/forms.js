// Every form that changes something asks first whether its answer can arrive: who is signed out or
// offline stays on the page with all that was typed. A form pressed twice is sent once.
import { draftKey, writeDraft } from "./drafts.js";
import { clearFailures, failureNote } from "./failures.js";
import { signedIn } from "./server.js";

const TYPED = "What you typed is kept in this browser.";
const sending = new WeakSet();

function hidden(name, value) {
  return Object.assign(document.createElement("input"), { type: "hidden", name, value });
}

function showAt(form, submitter, failure) {
  const note = failureNote(failure, draftKey(form) ? TYPED : "Nothing was changed.");
  const control = submitter ?? form.querySelector("button:not([hidden])") ?? form;
  const row = control.closest(".actions, .buttons, .dock, .items") ?? control;
  if (form.closest("[hidden]") || form.hidden) row.before(note);
  else if (form.contains(row)) row.before(note);
  else form.append(note);
  note.scrollIntoView({ block: "nearest" });
}

// Sends the form as its button would, with the token of now. `added` goes with it this once.
function send(form, submitter, added) {
  const before = [form.action, form.target];
  if (submitter?.hasAttribute("formaction")) form.action = submitter.formAction;
  if (submitter?.name) added.push(hidden(submitter.name, submitter.value));
  form.append(...added);
  HTMLFormElement.prototype.submit.call(form);
  for (const field of added) field.remove();
  if (form.getAttribute("action") !== null) form.action = before[0];
}

async function submit(form, submitter) {
  clearFailures();
  writeDraft(form);
  try {
    const token = await signedIn();
    for (const field of form.querySelectorAll("[name=csrfmiddlewaretoken]")) field.value = token;
  } catch (failure) {
    sending.delete(form);
    showAt(form, submitter, failure);
    return;
  }
  const key = submitter?.hasAttribute("data-browse") ? "" : draftKey(form);
  send(form, submitter, key ? [hidden("draft_key", key)] : []);
  if (submitter?.hasAttribute("data-stays")) sending.delete(form);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || !document.body.dataset.user) return;
  event.preventDefault();
  if (sending.has(form)) return;
  sending.add(form);
  submit(form, event.submitter);
});

// A browser that goes back shows the page as it was left.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) document.querySelectorAll("form").forEach((form) => sending.delete(form));
});
