// The rows of a list: j and k move, Enter opens, x selects, y, n and w press the row's buttons.
// Labels of several rows go to each page's own crawl and can be undone. On a page's own screen the
// keys need no focus.
import { clear, refuse, say } from "./messages.js";
import { isTyping } from "./typing.js";

const LOST = "The label could not be saved. Reload the page and try again.";
const root = document.querySelector("[data-hits]");
const token = root?.querySelector("[name=csrfmiddlewaretoken]")?.value;
const bar = document.querySelector("[data-bulk]");
const rows = () => [...root.querySelectorAll("[data-row]")];
const box = (row) => row.querySelector("[data-select]");
const chosen = () => rows().filter((row) => box(row)?.checked);
let lastChosen = null;

async function post(address, value) {
  const body = new FormData();
  body.set("value", value);
  body.set("csrfmiddlewaretoken", token);
  const answer = await fetch(address, { method: "POST", body }).catch(() => null);
  return answer?.ok ? answer.json() : { message: LOST };
}

function labelOf(row) {
  return row.querySelector("[data-label][aria-pressed=true]")?.dataset.label ?? "-";
}

function show(row, label) {
  for (const each of row.querySelectorAll("[data-label]")) {
    each.setAttribute("aria-pressed", String(each.dataset.label === label));
  }
}

async function labelOne(button) {
  const row = button.closest("[data-row]");
  const refusal = root.querySelector("[data-refusal]");
  const said = await post(row.dataset.labelAddress, button.dataset.label);
  refusal.hidden = Boolean(said.ok);
  if (said.ok) {
    show(row, said.label);
    return;
  }
  row.append(refusal);
  refusal.querySelector("[data-refusal-words]").textContent = said.message;
}

// `wanted` maps rows to labels. Sends one request for each crawl and label.
async function labelMany(wanted) {
  const requests = new Map();
  for (const [row, label] of wanted) {
    const key = `${row.dataset.labelAllAddress} ${label}`;
    requests.set(key, [...(requests.get(key) ?? []), row]);
  }
  const refused = [];
  for (const [key, asked] of requests) {
    const [address, label] = key.split(" ");
    const said = await post(address, [label, ...asked.map((row) => row.dataset.seq)].join(" "));
    if (!said.ok || asked.some((row) => (said.given[row.dataset.seq] ?? "-") !== label)) refused.push(said.message);
    for (const row of said.ok ? asked : []) show(row, said.given[row.dataset.seq] ?? "");
  }
  return refused;
}

async function labelChosen(label) {
  const before = new Map(chosen().map((row) => [row, labelOf(row)]));
  if (!before.size) return;
  clear();
  const refused = await labelMany(new Map([...before.keys()].map((row) => [row, label])));
  const changed = [...before].filter(([row, was]) => labelOf(row) !== was);
  const pages = `${changed.length} page${changed.length === 1 ? "" : "s"}`;
  const done = label === "-" ? `The label of ${pages} is removed.` : `${pages} labelled ${label}.`;
  if (changed.length) say(done, () => takeBack(changed));
  const kept = before.size - changed.length;
  if (refused.length) refuse(`${refused.join(" ")} ${kept} of ${before.size} are unchanged.`);
}

async function takeBack(changed) {
  const refused = await labelMany(new Map(changed));
  if (refused.length) refuse(refused.join(" "));
  else say("The labels are restored.");
}

async function explain(link) {
  const row = link.closest("[data-row]");
  const open = link.getAttribute("aria-expanded") === "true";
  link.setAttribute("aria-expanded", String(!open));
  if (open) {
    row.querySelector(":scope > .why")?.remove();
    return;
  }
  const panel = document.createElement("div");
  panel.className = "why";
  panel.setAttribute("role", "status");
  panel.textContent = "Reading the page again…";
  row.append(panel);
  const answer = await fetch(row.dataset.whyAddress).catch(() => null);
  if (answer?.ok) panel.innerHTML = await answer.text();
  else panel.textContent = "This could not be explained just now. Close it and try again.";
}

function choose(row, range) {
  const all = rows().filter(box);
  if (!box(row)) return;
  const on = range || !box(row).checked;
  const [from, to] = [all.indexOf(range && lastChosen ? lastChosen : row), all.indexOf(row)].sort((a, b) => a - b);
  for (const each of all.slice(from, to + 1)) box(each).checked = on;
  lastChosen = row;
  count();
}

function chooseNone() {
  for (const row of chosen()) box(row).checked = false;
  count();
}

function count() {
  const number = chosen().length;
  bar.querySelector("[data-chosen]").textContent = number
    ? `${number} of the ${rows().length} pages on this screen selected`
    : "Select pages to label them together";
  for (const button of bar.querySelectorAll("button")) button.disabled = !number;
  for (const row of rows()) row.classList.toggle("chosen", Boolean(box(row)?.checked));
  const all = bar.querySelector("[data-select-all]");
  all.checked = number > 0 && number === rows().filter(box).length;
}

function move(row, step) {
  const all = rows();
  const next = row ? all.indexOf(row) + step : 0;
  all[Math.min(all.length - 1, Math.max(0, next))]?.focus();
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
  const row = document.activeElement.closest("[data-row]") ?? root.querySelector("[data-only]");
  const onRow = row === document.activeElement;
  if (event.key === "j" || event.key === "k") move(row, event.key === "j" ? 1 : -1);
  else if (event.key === "Escape" && bar && chosen().length) chooseNone();
  else if (row && bar && event.key.toLowerCase() === "x") choose(row, event.shiftKey);
  else if (row && "yn".includes(event.key)) label(row, event.key);
  else if (row && event.key === "w") row.querySelector("[data-why]")?.click();
  else if (onRow && event.key === "Enter") row.querySelector("a").click();
  else return;
  event.preventDefault();
}

// With a selection the keys apply to all of it.
function label(row, value) {
  if (bar && chosen().length) labelChosen(value);
  else row.querySelector(`[data-label="${value}"]`)?.click();
}

function press(event) {
  const button = event.target.closest("[data-label]");
  const why = event.target.closest("[data-why]");
  const select = event.target.closest("[data-select]");
  if (button) labelOne(button);
  if (select) {
    const row = select.closest("[data-row]");
    if (event.shiftKey && lastChosen) choose(row, true);
    lastChosen = row;
    count();
  }
  if (!why || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  explain(why);
}

if (root) {
  root.addEventListener("click", press);
  document.addEventListener("keydown", key);
}
if (bar) {
  bar.hidden = false;
  root.classList.add("selectable");
  bar.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-bulk-label]");
    if (button) labelChosen(button.dataset.bulkLabel);
    else if (target.closest("[data-select-none]")) {
      const row = chosen().at(-1);
      chooseNone();
      row?.focus({ preventScroll: true });
    }
  });
  bar.querySelector("[data-select-all]").addEventListener("change", ({ target }) => {
    for (const row of rows()) if (box(row)) box(row).checked = target.checked;
    count();
  });
  count();
}
