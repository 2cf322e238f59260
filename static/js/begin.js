// Beginning a topic: what was typed is understood after a pause, pages come while it is typed, and
// each is answered with one key. Rows keep their order; new ones come below.
import { showFailure, clearFailures } from "./failures.js";
import { Polling } from "./polling.js";
import { Rows } from "./rows.js";
import { readLists } from "./list-reading.js";
import { post } from "./server.js";
import { showKeywords } from "./topic-form/keywords.js";
import { checkLists } from "./topic-form/lines.js";

const PAUSE = 400; // ms without typing until it is understood
const SETTLED = 2500; // ms without typing until pages are sought
const AGAIN = 5000; // ms until what has failed is tried again
const LINGER = 1000; // ms that an answered row stays
const DRAFT_FIELDS = ["draft", "removed", "rather_not", "phrases", "web"];
const MORE_KIN = 14;
const FIRST_PAGES = 8; // with so many a crawl without any address begins

const form = document.querySelector("[data-begin]");
const list = form.querySelector("[data-rows]");
const startButton = form.querySelector(".buttons [name=start]");
const field = (name) => form.elements[name];
let kin = 0;
let wanted = null; // what is to be sent once the present request is answered
let isAsking = false;
let gathering = false;
let polling = null;
let timers = [];

function lines(name) { return field(name).value.split("\n").filter(Boolean); }

function put(name, values) {
  field(name).value = [...new Set(values)].join("\n");
  understand(true);
}

function show(state) {
  field("draft").value = state.draft;
  field("name").placeholder = state.name;
  gathering = state.is_gathering;
  for (const [name, html] of Object.entries(state.parts)) {
    const part = form.querySelector(`[data-part="${name}"]`);
    if (part.dataset.shown === html) continue;
    part.dataset.shown = html;
    part.innerHTML = html;
  }
  startButton.textContent = state.start;
  state.rows.forEach(addRow);
  if (gathering) poll();
  if (field("awaited") && (!gathering || state.read >= FIRST_PAGES)) startButton.click();
}

// A row goes behind the last of an earlier turn; one that is there stays as it is.
function addRow({ id, turn, html }) {
  if (document.getElementById(`candidate-${id}`)) return;
  const made = document.createElement("template");
  made.innerHTML = html.trim();
  const after = [...list.children].find((row) => Number(row.dataset.turn) > turn) ?? null;
  list.insertBefore(made.content.firstElementChild, after);
}

function poll() {
  polling ??= new Polling(form.querySelector(".candidates"), {
    address: () => (gathering ? `${form.dataset.state}${field("draft").value}/` : null),
    apply: show,
    meanwhile: "pages are still being read",
  });
  polling.next();
}

// One request at a time, so that the site makes one draft; the last wish follows it. What has failed
// is tried again.
async function understand(gather = false) {
  wanted = { gather: gather || Boolean(wanted?.gather) };
  if (isAsking) return;
  isAsking = true;
  await null; // a draft that is taken up fills its fields one after another
  while (wanted) await send(wanted.gather);
  isAsking = false;
}

async function send(gather) {
  wanted = null;
  const body = new FormData(form);
  if (gather) body.append("gather", "1");
  if (kin) body.append("kin", kin);
  try {
    const state = await post(form.dataset.understand, body);
    if (field("draft").value !== body.get("draft")) return; // another draft was taken up meanwhile
    clearFailures();
    show(state);
  } catch (failure) {
    if (wanted) {
      wanted.gather ||= gather;
      return;
    }
    showFailure(failure, field("description"), "What you typed is kept in this browser.");
    if (failure.kind !== "signed-out") timers.push(setTimeout(() => understand(gather), AGAIN));
  }
}

// What is changed is not started by itself.
function soon() {
  field("awaited")?.remove();
  timers.forEach(clearTimeout);
  timers = [setTimeout(() => understand(), PAUSE)];
  // An address that is half typed is not requested.
  if (document.activeElement !== field("seeds")) timers.push(setTimeout(() => understand(true), SETTLED));
  const isEmpty = !["description", "keywords", "seeds"].some((name) => field(name).value.trim());
  for (const button of form.querySelectorAll("[data-start]")) button.disabled = isEmpty;
}

form.addEventListener("input", (event) => { if (event.target.name || event.target.closest(".chip-field")) soon(); });
form.addEventListener("change", (event) => {
  if (!event.target.name) return;
  timers.forEach(clearTimeout);
  understand(true);
});
form.addEventListener("draft", ({ detail }) => {
  for (const [name, value] of detail) {
    if (DRAFT_FIELDS.includes(name)) field(name).value = value;
  }
  understand(true);
});

form.addEventListener("click", ({ target }) => {
  const { take, remove, answer } = target.dataset;
  if (take) {
    field("keywords").value = [field("keywords").value.trim(), take].filter(Boolean).join(", ");
    field("keywords").dispatchEvent(new Event("input", { bubbles: true }));
  } else if (remove) {
    put("removed", [...lines("removed"), remove]);
  } else if (target.dataset.add) {
    put(target.dataset.add, [...lines(target.dataset.add), target.dataset.value]);
  } else if (target.dataset.drop) {
    put("phrases", lines("phrases").filter((phrase) => phrase !== target.dataset.drop));
  } else if ("advise" in target.dataset) {
    askSite(target, "adviser/", {}, "The adviser is not asked.");
  } else if ("moreKin" in target.dataset) {
    kin = MORE_KIN;
    understand();
  } else if ("undo" in target.dataset) sendAnswer(target, { answer: "undo" });
  else if (answer) give(target.closest("[data-row]"), answer);
});

const rather = form.querySelector("[data-rather]");
rather.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  addRather();
});
rather.addEventListener("change", addRather);

function addRather() {
  const words = rather.value.trim();
  rather.value = "";
  if (words) put("rather_not", [...lines("rather_not"), words]);
}
field("name").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  field("name").blur();
});

function sendAnswer(control, values) {
  return askSite(control, "answer/", values, "The answer is not saved.");
}

// Posts to an address of the draft and shows its state; returns whether that was done.
async function askSite(control, address, values, outcome) {
  const body = new FormData();
  body.append("draft", field("draft").value); // a body without any part is refused
  for (const [name, value] of Object.entries(values)) body.append(name, value);
  try {
    clearFailures();
    show(await post(`${form.dataset.state}${field("draft").value}/${address}`, body));
    return true;
  } catch (failure) {
    showFailure(failure, control, outcome);
    return false;
  }
}

// The next row has the focus at once; the answered one goes when its answer is saved.
async function give(row, answer) {
  if (row.classList.contains("is-answered")) return;
  row.classList.add("is-answered");
  row.querySelector(`[data-answer="${answer}"]`).classList.add("is-chosen");
  const next = answers.all().filter((each) => !each.classList.contains("is-answered"));
  (next.find((each) => Number(each.dataset.turn) > Number(row.dataset.turn)) ?? next[0])?.focus();
  if (await sendAnswer(row, { answer, page: row.dataset.page })) setTimeout(() => row.remove(), LINGER);
  else {
    row.classList.remove("is-answered");
    row.querySelector(".is-chosen").classList.remove("is-chosen");
  }
}

const answers = new Rows(list, {
  opens: ".name",
  keys: {
    y: (row) => give(row, "yes"),
    n: (row) => give(row, "no"),
    s: (row) => give(row, "skipped"),
    o: (row) => { const read = row.querySelector(".read"); read.open = !read.open; },
  },
  general: { u: () => { sendAnswer(list, { answer: "undo" }); } },
});

showKeywords(form);
checkLists(form, () => {});
readLists(form);
addEventListener("online", () => understand());
if (matchMedia("(max-width: 599px)").matches) form.querySelector("[data-understood]").open = false;
if (field("awaited")) {
  gathering = true;
  poll();
}
else if (["description", "seeds", "keywords"].some((name) => field(name).value)) understand(true);
