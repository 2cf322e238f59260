// The rows of a collection: y, n and w press the row's buttons, and with a selection label all of it.
// Labels of several rows go to each page's own crawl and can be undone. More like these looks for the
// pages that are near to the selected ones.
import { clearFailures, failureNote, reason } from "./failures.js";
import { clear, say } from "./messages.js";
import { labelRow, showLabel } from "./row-label.js";
import { Rows } from "./rows.js";
import { post, request } from "./server.js";

const root = document.querySelector("[data-hits]");
const bar = document.querySelector("[data-bulk]");
const rows = root && new Rows(root, {
  box: bar ? "[data-select]" : "",
  only: root.querySelector("[data-only]"),
  keys: {
    y: (row) => label(row, "y"), n: (row) => label(row, "n"),
    w: (row) => row.querySelector("[data-why]")?.click(),
  },
  changed: count,
});

function labelOf(row) {
  return row.querySelector("[data-label][aria-pressed=true]")?.dataset.label ?? "-";
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
    const value = [label, ...asked.map((row) => row.dataset.seq)].join(" ");
    try {
      const { given, message } = await post(address, new URLSearchParams({ value }));
      if (asked.some((row) => (given[row.dataset.seq] ?? "-") !== label)) refused.push(message);
      for (const row of asked) showLabel(row, given[row.dataset.seq] ?? "");
    } catch (failure) {
      refused.push(reason(failure));
    }
  }
  return refused;
}

function showRefused(sentence) {
  bar.append(failureNote({ kind: "refused", sentence }));
}

async function labelChosen(label) {
  const labelled = rows.selected().filter((row) => row.dataset.labelAllAddress);
  const before = new Map(labelled.map((row) => [row, labelOf(row)]));
  if (!before.size) return;
  clear();
  clearFailures();
  const refused = await labelMany(new Map([...before.keys()].map((row) => [row, label])));
  const changed = [...before].filter(([row, was]) => labelOf(row) !== was);
  const pages = `${changed.length} page${changed.length === 1 ? "" : "s"}`;
  const done = label === "-" ? `The label of ${pages} is removed.` : `${pages} labelled ${label}.`;
  if (changed.length) say(done, () => takeBack(changed));
  const kept = before.size - changed.length;
  if (refused.length) showRefused(`${refused.join(" ")} ${kept} of ${before.size} are unchanged.`);
}

async function takeBack(changed) {
  const refused = await labelMany(new Map(changed));
  clearFailures();
  if (refused.length) showRefused(refused.join(" "));
  else say("The labels are restored.");
}

function lookForMore(button) {
  const pages = rows.selected().map((row) => `like=${row.querySelector("[data-select]").dataset.page}`);
  location.assign([button.dataset.moreLike, ...pages].join("&"));
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
  try {
    panel.innerHTML = await (await request(row.dataset.whyAddress)).text();
  } catch (failure) {
    panel.replaceChildren(failureNote(failure, "The page is not explained."));
  }
}

function count() {
  const selected = rows.selected();
  const number = selected.length;
  bar.querySelector("[data-chosen]").textContent = number
    ? `${number} of the ${rows.all().length} pages on this screen selected`
    : bar.querySelector("[data-bulk-label]") ? "Select pages to label them together" : "Select pages to look for more like them";
  for (const button of bar.querySelectorAll("button")) button.disabled = !number;
  for (const row of rows.all()) row.classList.toggle("chosen", selected.includes(row));
  bar.querySelector("[data-select-all]").checked = number > 0 && number === rows.selectable().length;
}

// With a selection the keys apply to all of it.
function label(row, value) {
  if (rows.selected().length) labelChosen(value);
  else row.querySelector(`[data-label="${value}"]`)?.click();
}

function press(event) {
  const button = event.target.closest("[data-label]");
  const why = event.target.closest("[data-why]");
  if (button) labelRow(button);
  if (!why || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  explain(why);
}

root?.addEventListener("click", press);
if (bar) {
  bar.hidden = false;
  root.classList.add("selectable");
  bar.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-bulk-label]");
    if (button) labelChosen(button.dataset.bulkLabel);
    else if (target.closest("[data-more-like]")) lookForMore(target.closest("[data-more-like]"));
    else if (target.closest("[data-select-none]")) rows.clear(true);
  });
  bar.querySelector("[data-select-all]").addEventListener("change", ({ target }) => rows.selectAll(target.checked));
  count();
}
