// The list of a topic's hosts: y, n and 0 decide on the row that has the focus, or on all selected.
import { clearFailures, failureNote, showFailure } from "../failures.js";
import { clear, say } from "../messages.js";
import { Rows } from "../rows.js";
import { post, request } from "../server.js";
import { crawlAddress, selection } from "./selection.js";

const form = document.querySelector("[data-hosts]");
const bar = document.querySelector("[data-bar]");
const STATES = { in: "in", out: "out", undecided: "" };
const COUNTS = { in: "in", out: "out", "": "undecided" };

const rows = form && new Rows(form, {
  box: bar ? "[data-select]" : "",
  keys: bar ? { y: (row) => decideOn(row, "in"), n: (row) => decideOn(row, "out"), 0: (row) => decideOn(row, "undecided") } : {},
  changed: (changed) => {
    const isIn = (row) => rows.boxOf(row).checked;
    selection.put(changed.filter(isIn).map(nameOf), true, rows);
    selection.put(changed.filter((row) => !isIn(row)).map(nameOf), false, rows);
  },
});

function nameOf(row) { return row.dataset.host; }

// The boxes follow what is selected in the network.
selection.onChange((origin) => {
  if (!bar) return;
  if (origin !== rows) for (const row of rows.selectable()) rows.boxOf(row).checked = selection.has(nameOf(row));
  count();
});

function decision(row) {
  return STATES[row.querySelector("[data-decide][aria-pressed=true]")?.dataset.decide] ?? "";
}

function show(states) {
  const shown = new Set(rows.all().map(nameOf));
  if (Object.keys(states).some((name) => !shown.has(name))) readCounts();
  for (const row of rows.all()) {
    const state = states[row.dataset.host];
    if (state === undefined || state === decision(row)) continue;
    move(COUNTS[decision(row)], -1);
    move(COUNTS[state], 1);
    for (const button of row.querySelectorAll("[data-decide]")) {
      button.setAttribute("aria-pressed", String(STATES[button.dataset.decide] === state));
    }
  }
}

// The numbers above the list and beside a choice of the switch; large ones have separators.
function move(name, by) {
  for (const number of document.querySelectorAll(`[data-count="${name}"]`)) {
    number.textContent = (Number(number.textContent.replace(/\D/g, "")) + by).toLocaleString("en-GB");
  }
}

// Hosts that are on another page of the list change the numbers too: they are read anew.
async function readCounts() {
  const answer = await request(location.href).catch(() => null);
  if (!answer) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelectorAll("[data-count]");
  for (const [at, number] of document.querySelectorAll("[data-count]").entries()) number.textContent = fresh[at]?.textContent ?? number.textContent;
}

async function send(address, pairs, control, outcome) {
  clear();
  clearFailures();
  try {
    const answer = await post(address, new URLSearchParams(pairs));
    show(answer.states);
    document.querySelector("[data-last]")?.remove();
    dispatchEvent(new CustomEvent("hosts-decided", { detail: answer.states }));
    return answer;
  } catch (failure) {
    if (control === bar) bar.append(failureNote(failure, outcome));
    else showFailure(failure, control, outcome);
    return null;
  }
}

export async function decide(names, state, control) {
  const answer = await send(form.getAttribute("action"), [["state", state], ["hosts", names.join("\n")]], control, "Nothing was decided.");
  if (answer) say(answer.message, () => takeBack(answer.undo, control));
}

async function takeBack(act, control) {
  const answer = await send(form.dataset.undoAddress, [["act", act]], control, "The decision stands.");
  if (answer) say(answer.message);
}

function decideOn(row, state) {
  if (selection.size) decide(selection.all(), state, bar);
  else if (decision(row) !== STATES[state]) decide([row.dataset.host], state, bar);
}

function count() {
  const chosen = rows.selected();
  const more = selection.size > chosen.length ? " in the network" : "";
  bar.querySelector("[data-selected]").textContent = selection.size
    ? `${selection.size.toLocaleString("en-GB")} host${selection.size === 1 ? "" : "s"} selected${more}`
    : "Select hosts to decide on them together";
  const waiting = chosen.reduce((sum, row) => sum + Number(row.dataset.waiting), 0);
  for (const button of bar.querySelectorAll("[data-bulk]")) {
    button.disabled = !selection.size;
    if (button.dataset.bulk === "out") button.title = chosen.length && !more ? `Leaves out ${waiting.toLocaleString("en-GB")} waiting links` : "";
  }
  bar.querySelector("[data-clear]").hidden = !selection.size;
  const crawl = bar.querySelector("[data-crawl-selected]");
  crawl.href = selection.size ? crawlAddress(form.dataset.newCrawl, selection.all()) : "";
  crawl.hidden = !crawl.getAttribute("href");
  form.querySelector("[data-page-box]").checked = chosen.length > 0 && chosen.length === rows.selectable().length;
}

function press(event) {
  const one = event.target.closest("[data-decide]");
  const bulk = event.target.closest("[data-bulk]");
  if (one) {
    event.preventDefault();
    if (one.getAttribute("aria-pressed") !== "true") decide([one.closest("[data-row]").dataset.host], one.dataset.decide, bar);
  } else if (bulk) {
    event.preventDefault();
    decide(selection.all(), bulk.dataset.bulk, bar);
  } else if (event.target.closest("[data-clear]")) selection.set([]);
}

// While the hosts are counted the page is read again from time to time, until it has the counts.
async function watchCount() {
  const answer = await request(location.href).catch(() => null);
  const text = answer ? await answer.text() : "data-counting";
  if (text.includes("data-counting")) setTimeout(watchCount, 3000);
  else location.reload();
}

if (document.querySelector("[data-counting]")) setTimeout(watchCount, 1500);
if (bar && form.querySelector("[data-row]")) {
  form.addEventListener("click", press);
  form.querySelector("[data-page-box]").addEventListener("change", ({ target }) => rows.selectAll(target.checked));
  count();
}
