// What a failed act shows where it was done: the reason, what became of it, and the way on.
const REASONS = {
  "signed-out": "You are signed out.",
  unreachable: "The site could not be reached.",
  refused: "That did not work.",
};

export function reason({ kind, sentence }) {
  if (kind === "unreachable" && !navigator.onLine) return "This browser is offline.";
  return sentence || REASONS[kind] || REASONS.refused;
}

// The link to the form of signing in, which leads back here.
function signInLink() {
  const next = encodeURIComponent(location.pathname + location.search);
  return Object.assign(document.createElement("a"), { href: `/sign-in/?next=${next}`, textContent: "Sign in" });
}

// What to do next, as nodes; `outcome` is what became of the act.
export function wayOn({ kind, sentence }, outcome) {
  if (kind === "signed-out") return [`${outcome} `, signInLink(), " and go on here."];
  if (kind === "unreachable") return [`${outcome} Try again.`];
  return sentence ? [] : [`${outcome} Reload the page and try again.`];
}

// The failure as an element.
export function failureNote(failure, outcome = "Nothing was changed.") {
  const note = document.createElement("div");
  const head = document.createElement("div");
  const more = document.createElement("div");
  note.className = `message ${failure.kind === "refused" ? "bad" : "warn"}`;
  note.setAttribute("role", "alert");
  note.dataset.failure = failure.kind ?? "refused";
  head.className = "what";
  head.textContent = reason(failure);
  more.append(...wayOn(failure, outcome));
  note.append(head);
  if (more.childNodes.length) note.append(more);
  return note;
}

const SPOTS = "td, [data-row], .field, .actions, .buttons, .panel, form";

// Shows the failure beside what was pressed; it stays until the next act there.
export function showFailure(failure, control, outcome) {
  clearFailures();
  const spot = control.closest(SPOTS) ?? control.parentElement;
  const note = failureNote(failure, outcome);
  if (spot.matches(".actions, .buttons")) spot.before(note);
  else spot.append(note);
  return note;
}

export function clearFailures() {
  for (const note of document.querySelectorAll("[data-failure]")) note.remove();
}
