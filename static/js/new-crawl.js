import { failureNote } from "./failures.js";
import { request } from "./server.js";

// The new-crawl form: shows the fields for the choices made, and fetches the summary from the
// server.
const form = document.querySelector("[data-new-crawl]");
const rail = form.querySelector("[data-rail]");
const RESTATE_AFTER = 250;

const chosen = (name) => form.querySelector(`input[name="${name}"]:checked`)?.value;

function showWhatBelongs() {
  for (const group of form.querySelectorAll("[data-parameters]")) {
    group.hidden = group.dataset.parameters !== chosen("strategy");
  }
  for (const part of form.querySelectorAll("[data-when-follow]")) {
    part.hidden = part.dataset.whenFollow !== chosen("follow");
  }
  const earlier = form.querySelector("[data-earlier]");
  const strategy = chosen("strategy");
  const offline = form.elements[`${strategy}-mode`]?.value === "offline";
  earlier.hidden = !offline && !earlier.dataset.earlier.split(" ").includes(strategy);
  showWeb(chosen("web") === "live");
}

// A source that cannot be had now is not chosen and says why; no pause is kept where no host is asked.
function showWeb(live) {
  const web = form.querySelector('input[name="web"]:checked');
  const refusals = JSON.parse(web?.dataset.refusals ?? "{}");
  const sources = [...form.querySelectorAll('input[name="over"]')];
  form.querySelector("[data-sources]").hidden = live;
  form.querySelector("[data-live-only]").hidden = !live;
  for (const source of sources) source.disabled = live || source.value in refusals;
  const usable = sources.filter((source) => !source.disabled);
  if (usable.length && !usable.some((source) => source.checked)) usable[0].checked = true;
  form.querySelector("[data-source-refusal]").textContent =
    Object.values(refusals).map((words) => `Not now: ${words}`).join(" ");
  const delay = (live ? web : usable.find((source) => source.checked))?.dataset.delay;
  form.elements.delay.placeholder = delay ?? "0";
  form.elements.delay.disabled = form.elements.concurrent.disabled = delay === undefined;
  form.querySelector("[data-pace]").hidden = form.elements.pages_per_second.disabled = live;
}

// The rail has also the words of the fold and of the costs beside the strategy.
function showRail(html) {
  rail.innerHTML = html;
  const { foldText, amountsText, furtherText } = rail.querySelector("[data-fold-text]").dataset;
  form.querySelector("[data-fold-words]").textContent = foldText;
  const further = form.querySelector("[data-further]");
  further.textContent = furtherText;
  further.hidden = !furtherText;
  for (const line of form.querySelectorAll("[data-amounts]")) line.textContent = amountsText;
}

let latest = 0;
async function restate() {
  const asked = ++latest;
  const body = new FormData(form);
  body.set("do", "restate");
  try {
    const html = await (await request(location.href, { method: "POST", body })).text();
    if (asked === latest) showRail(html);
  } catch (failure) {
    rail.querySelector("[data-failure]")?.remove();
    rail.prepend(failureNote(failure, "The summary is from before your last change."));
  }
}

let timer = 0;
form.addEventListener("input", () => {
  showWhatBelongs();
  clearTimeout(timer);
  timer = setTimeout(restate, RESTATE_AFTER);
});

// Shows the strategies of the chosen kind that contain every word typed, and always the selected
// one.
const finder = form.querySelector("[data-find]");
const kinds = form.querySelector("[data-kinds]");

function find() {
  const wanted = finder.value.trim().toLowerCase().split(/\s+/);
  const kind = kinds.querySelector("[aria-pressed=true]").value;
  let matches = 0;
  for (const paper of form.querySelectorAll(".paper")) {
    const name = paper.querySelector(".paper-name").textContent;
    for (const row of paper.querySelectorAll(".strategy")) {
      const text = `${row.textContent} ${name}`.toLowerCase();
      const fits = !kind || row.dataset.kindsOf.split(" ").includes(kind);
      const says = fits && wanted.every((word) => text.includes(word));
      matches += says;
      row.hidden = !says && !row.querySelector("input")?.checked;
    }
    paper.hidden = !paper.querySelector(".strategy:not([hidden])");
  }
  form.querySelector("[data-none-found]").hidden = matches > 0;
}

finder.hidden = kinds.hidden = false;
finder.addEventListener("input", (typed) => {
  typed.stopPropagation();
  find();
});
finder.addEventListener("keydown", (key) => key.key === "Enter" && key.preventDefault());
kinds.addEventListener("click", (event) => {
  if (!event.target.matches("button")) return;
  for (const button of kinds.children) button.setAttribute("aria-pressed", String(button === event.target));
  find();
});

for (const button of form.querySelectorAll("[data-reset]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    for (const field of button.closest("[data-parameters]").querySelectorAll("[data-default]")) {
      const control = field.querySelector("input, select");
      const boxes = field.querySelectorAll(".several input");
      for (const box of boxes) box.checked = field.dataset.default.split(" ").includes(box.value);
      if (boxes.length) continue;
      if (control.type === "checkbox") control.checked = field.dataset.default === "True";
      else control.value = field.dataset.default;
    }
    form.dispatchEvent(new Event("input"));
  });
}

// Folds stay as the person left them; one that the site opened stays open.
for (const fold of form.querySelectorAll("[data-fold]")) {
  const key = `fold-${fold.dataset.fold}`;
  try {
    if (localStorage.getItem(key) === "open") fold.open = true;
  } catch { /* private windows keep nothing */ }
  fold.addEventListener("toggle", () => {
    try {
      localStorage.setItem(key, fold.open ? "open" : "closed");
    } catch { /* private windows keep nothing */ }
  });
}

showWhatBelongs();
