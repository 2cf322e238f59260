// A draft of the form, kept in this browser and offered on return.
const PAUSE = 500; // ms without typing

export function keepDraft(form) {
  const key = form.dataset.draftKey;
  const offer = document.querySelector("[data-draft]");
  const kept = document.querySelector("[data-draft-kept]");
  const start = JSON.stringify(values(form));
  let waiting = 0;

  function keep() {
    if (JSON.stringify(values(form)) !== start) write();
  }

  function write() {
    try {
      localStorage.setItem(key, JSON.stringify({ at: Date.now(), fields: values(form) }));
      kept.textContent = `Draft kept in this browser at ${clock(Date.now())}.`;
    } catch {
      kept.textContent = "No draft is kept: this browser’s storage is full or blocked.";
    }
  }

  function drop() {
    localStorage.removeItem(key);
    offer.hidden = true;
  }

  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(keep, PAUSE);
  });
  form.addEventListener("submit", (event) => {
    clearTimeout(waiting);
    if (event.defaultPrevented) return;
    if (event.submitter?.hasAttribute("data-browse")) return keep();
    sessionStorage.setItem("topic-saved", key);
    forgetSelection();
  });
  const refused = form.querySelector("[aria-invalid='true']") !== null;
  const saved = sessionStorage.getItem("topic-saved");
  if (saved && !refused) localStorage.removeItem(saved);
  sessionStorage.removeItem("topic-saved");

  // The form goes on with pages chosen on a web: it takes the place of its own draft.
  if (form.dataset.chosenOn) {
    sessionStorage.removeItem(`pages-of-web-${form.dataset.chosenOn}`);
    write();
    return;
  }
  const draft = JSON.parse(localStorage.getItem(key) ?? "null");
  if (!draft || refused || JSON.stringify(draft.fields) === start) return;
  offer.querySelector("[data-draft-name]").textContent = draft.fields.name || "a topic without a name";
  offer.querySelector("[data-draft-at]").textContent = new Date(draft.at).toLocaleString();
  offer.hidden = false;
  offer.querySelector("[data-draft-drop]").addEventListener("click", drop);
  offer.querySelector("[data-draft-take]").addEventListener("click", () => {
    for (const [name, value] of Object.entries(draft.fields)) fill(form.elements[name], value);
    offer.hidden = true;
    form.elements.seeds.dispatchEvent(new Event("input", { bubbles: true }));
    form.elements.name.focus();
  });
}

// The pages selected on a web are this topic now: the next selection begins with none.
function forgetSelection() {
  const web = location.pathname.match(/^\/webs\/(\d+)\/topic\/$/)?.[1];
  if (web) sessionStorage.removeItem(`pages-of-web-${web}`);
}

function values(form) {
  const found = {};
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string" && name !== "csrfmiddlewaretoken") found[name] = value;
  }
  return found;
}

function fill(field, value) {
  if (!field) return;
  if (field.type === "checkbox") field.checked = true;
  else field.value = value;
}

function clock(at) {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(at);
}
