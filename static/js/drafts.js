// What was typed into a form stays in this browser until the site has answered that it is saved. It is
// offered when the form is opened again. Each tab keeps a draft of its own.
const PAUSE = 500; // ms without typing
const MONTH = 30 * 24 * 3600 * 1000;
const PREFIX = "draft ";
const SAVED = "saved-draft";
const TYPED = [
  "textarea", "select",
  "input:not([type=hidden], [type=file], [type=password], [type=checkbox], [type=radio])",
].join();
// Fields of the form itself, not of the person.
const OWN = ["csrfmiddlewaretoken", "draft_key", "form_token", "base", "present"];
const starts = new WeakMap();
const MOST_OFFERED = 3;

// The tab that this is; one that is opened again after a crash is the same.
function tab() {
  try {
    const before = sessionStorage.getItem("tab");
    if (before) return before;
    const made = Math.random().toString(36).slice(2, 8);
    sessionStorage.setItem("tab", made);
    return made;
  } catch { return "only"; }
}

// The key of the draft that this tab keeps of a form; empty for a form that keeps none.
export function draftKey(form) {
  const key = formKey(form);
  return key && `${key} in ${tab()}`;
}

// What the keys of a form's drafts begin with, in every tab.
function formKey(form) {
  const keepsNone = form.hasAttribute("data-no-draft") || form.querySelector("[type=password]");
  if (keepsNone || ![...form.elements].some((field) => field.matches(TYPED))) return "";
  const { pathname } = new URL(form.getAttribute("action") || location.href, location.href);
  const part = form.id || form.querySelector("input[type=hidden][name=action]")?.value || "";
  return `${PREFIX}${document.body.dataset.user} ${pathname} ${part}`.trim();
}

// What was typed and chosen, as pairs of name and value.
function values(form) {
  return [...new FormData(form)].filter(([name, value]) => !OWN.includes(name) && typeof value === "string");
}

function read(key) {
  try { return JSON.parse(localStorage.getItem(key)); } catch { return null; }
}

// Drops a form's draft once what it holds is saved.
function dropDraft(key) {
  const draft = read(key);
  if (draft?.selection) sessionStorage.removeItem(draft.selection);
  localStorage.removeItem(key);
}

export function dropDraftOf(form) {
  starts.set(form, JSON.stringify(values(form)));
  dropDraft(draftKey(form));
}

// Keeps what is typed into a field that a script has made, and puts in what was typed there before and
// is not saved. Returns what drops it.
export function keepField(input, name) {
  const key = `${PREFIX}${document.body.dataset.user} ${location.pathname} field ${name}`;
  input.value = read(key)?.text ?? input.value;
  input.oninput = () => store(key, { text: input.value });
  return () => localStorage.removeItem(key);
}

// Whether there was room for it.
function store(key, draft) {
  try {
    localStorage.setItem(key, JSON.stringify({ at: Date.now(), ...draft }));
    return true;
  } catch { return false; }
}

// Stores the draft now; `always` also where nothing was changed.
export function writeDraft(form, always = false) {
  const key = draftKey(form);
  const fields = values(form);
  if (!key || (!always && JSON.stringify(fields) === starts.get(form))) return;
  const selection = form.dataset.selection ?? read(key)?.selection;
  const isStored = store(key, { fields, selection });
  const line = document.querySelector("[data-draft-kept]");
  if (!line) return;
  line.textContent = isStored
    ? `Draft kept in this browser at ${clock(Date.now())}.`
    : "No draft is kept: this browser’s storage is full or blocked.";
}

function clock(at) {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(at);
}

// Sets a field to the next of the values given for its name; returns whether it changed.
function set(field, given) {
  if (field.type === "checkbox" || field.type === "radio") {
    const before = field.checked;
    field.checked = given.includes(field.value);
    return field.checked !== before;
  }
  if (!given.length) return false;
  const before = field.value;
  field.value = given.shift();
  return field.value !== before;
}

// Fills the form's fields as if a person had; boxes without a pair are cleared.
function fill(form, pairs) {
  const rest = new Map();
  for (const [name, value] of pairs) rest.set(name, [...(rest.get(name) ?? []), value]);
  const fields = [...form.elements].filter(({ name, type }) => name && !["hidden", "file", "submit", "button"].includes(type));
  for (const field of fields.filter((each) => set(each, rest.get(each.name) ?? []))) {
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

// Goes on with a draft here; what was typed here before becomes a draft in its place. A form that has
// to make fields of the draft hears the event "draft".
function take(form, key, draft) {
  const fields = values(form);
  const wasTyped = JSON.stringify(fields) !== starts.get(form);
  localStorage.removeItem(key);
  store(draftKey(form), draft);
  if (wasTyped) store(`${formKey(form)} in ${Math.random().toString(36).slice(2, 8)}`, { fields });
  fill(form, draft.fields);
  form.dispatchEvent(new CustomEvent("draft", { detail: draft.fields }));
}

function button(words, className, press) {
  const made = Object.assign(document.createElement("button"), { type: "button", className, textContent: words });
  made.addEventListener("click", press);
  return made;
}

// `boxes` are those of all drafts of the form: one of them can be taken up.
function offer(form, [key, draft], boxes) {
  const box = Object.assign(document.createElement("div"), { className: "message" });
  const what = Object.assign(document.createElement("div"), { className: "what" });
  const actions = Object.assign(document.createElement("div"), { className: "actions" });
  const name = draft.fields.find(([field]) => field === "name")?.[1];
  box.dataset.draft = "";
  what.textContent = `A draft${name ? ` of ${name}` : ""} is kept in this browser, last changed ${new Date(draft.at).toLocaleString("en-GB")}.`;
  actions.append(
    button("Go on with it", "button small", () => {
      for (const other of boxes) other.remove();
      take(form, key, draft);
      [...form.elements].find((field) => field.matches(TYPED) && field.checkVisibility?.())?.focus();
    }),
    button("Discard it", "quiet", () => {
      box.remove();
      dropDraft(key);
    }),
  );
  box.append(what, actions);
  boxes.push(box);
  if (form.matches(".actions, .topic-form, .new-crawl")) form.before(box);
  else form.prepend(box);
}

// Names in a cookie the draft that the site has saved; one that it refused shows an error here.
function dropSaved() {
  const key = document.cookie.match(new RegExp(`(?:^|; )${SAVED}=([^;]*)`))?.[1];
  if (!key) return;
  document.cookie = `${SAVED}=; path=/; max-age=0; samesite=lax`;
  if (!document.querySelector("[data-messages] > .bad:not([hidden])")) dropDraft(decodeURIComponent(key));
}

function dropOld() {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX) && !(Date.now() - read(key)?.at < MONTH)) localStorage.removeItem(key);
  }
}

function watch(form) {
  const key = draftKey(form);
  if (!key) return;
  const start = JSON.stringify(values(form));
  starts.set(form, start);
  let timer = 0;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = 0;
      writeDraft(form);
    }, PAUSE);
  });
  form.addEventListener("submit", () => clearTimeout(timer));
  addEventListener("pagehide", () => {
    if (timer) writeDraft(form);
  });
  if (form.dataset.chosenOn) return; // it goes on with pages chosen on a web, in place of its draft
  const boxes = [];
  for (const draft of draftsOf(form, start)) offer(form, draft, boxes);
}

// Pairs of key and draft of every tab, the latest first; none like what the form has anyway.
function draftsOf(form, start) {
  const own = formKey(form); // alone: of a version without tabs
  return Object.keys(localStorage)
    .filter((key) => key === own || key.startsWith(`${own} in `))
    .map((key) => [key, read(key)])
    .filter(([, draft]) => draft && JSON.stringify(draft.fields) !== start)
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, MOST_OFFERED);
}

if (document.body.dataset.user) {
  dropSaved();
  dropOld();
  document.querySelectorAll("form[method=post]").forEach(watch);
}
