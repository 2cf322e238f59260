// Pages of a recorded web: filters apply by themselves, pages are chosen across searches, the bar
// above the list says how they will be split, by a random seed or by hand, and the stored copy opens
// beside the list.
import { failureNote } from "./failures.js";
import { request } from "./server.js";
import { Rows } from "./rows.js";
import { watchFacets } from "./facets.js";

const PAUSE = 250;
const root = document.querySelector("[data-web]");
const search = document.getElementById("search");
const bar = root.querySelector("[data-selection]");
const inside = bar.querySelector("[data-selection-bar]");
const list = root.querySelector("[data-rows]");
const shown = root.querySelector("[data-shown-box]");
const first = inside.innerHTML;
const storageKey = `pages-of-web-${root.dataset.web}`;
const USES = ["seed", "example", "target"];
const KEYS = { s: "seed", e: "example", t: "target" };
const FIELDS = { seed: "seeds", target: "targets" };
const rows = new Rows(list ?? root, {
  row: ".hit", box: "[name=page]", opens: ".name a",
  keys: { o: openCopy, ...Object.fromEntries(Object.entries(KEYS).map(([key, use]) => [key, (row) => give(Number(row.dataset.number), use)])) },
  changed: choose,
});
const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? "{}");
let chosen = new Set(kept.chosen ?? []);
const byHand = new Map(kept.byHand ?? []);
let isByHand = byHand.size > 0;
let uses = {};
let last = null;
let opened = null;
let latest = 0;
let timer = 0;

// The sliders stand on steps; what they choose is written into the fields beside them.
function watchWords(panel) {
  const steps = panel.dataset.words.split(",").map(Number);
  const sliders = panel.querySelector("[data-sliders]");
  const [from, to] = sliders.querySelectorAll("input");
  const [least, most] = panel.querySelectorAll("[type=number]");
  const bars = panel.querySelectorAll("rect");
  const words = panel.querySelector("[data-range-words]");
  sliders.hidden = false;
  const inWords = (field) => Number(field.value).toLocaleString("en-GB");
  const range = () => {
    if (least.value && most.value) return `${inWords(least)}–${inWords(most)}`;
    return least.value ? `from ${inWords(least)}` : most.value ? `to ${inWords(most)}` : "";
  };
  const aloud = () => {
    words.value = range();
    from.setAttribute("aria-valuetext", least.value ? `${least.value} words` : "no limit");
    to.setAttribute("aria-valuetext", most.value ? `${most.value} words` : "no limit");
  };
  sliders.addEventListener("input", ({ target }) => {
    // The two ends stay at least one step apart.
    if (target === from) from.value = Math.min(from.value, to.value - 1);
    else to.value = Math.max(to.value, Number(from.value) + 1);
    least.value = Number(from.value) ? steps[from.value] : "";
    most.value = Number(to.value) < steps.length ? steps[to.value] - 1 : "";
    bars.forEach((bar, at) => bar.classList.toggle("chosen", at >= from.value && at < to.value));
    aloud();
  });
  aloud();
}

// Labels whose path has the words typed, each with the branches that it lies on.
function watchLabels(tree) {
  const field = tree.querySelector("[data-find-label]");
  if (!field) return;
  field.hidden = false;
  const nodes = [...tree.querySelectorAll("[data-node]")];
  const openBefore = new Map([...tree.querySelectorAll("details")].map((each) => [each, each.open]));
  field.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (node) => {
      const path = node.querySelector("input").value.replaceAll("_", " ").toLowerCase();
      return words.every((word) => path.includes(word));
    };
    const fitting = new Set(nodes.filter(fits));
    for (const node of nodes) node.hidden = !fitting.has(node) && ![...node.querySelectorAll("[data-node]")].some((each) => fitting.has(each));
    for (const [each, was] of openBefore) {
      each.open = words.length ? each.querySelector("[data-node]:not([hidden])") !== null : was;
      if (each.matches("[data-further]")) each.hidden = words.length > 0 && !each.open;
    }
    tree.querySelector("[data-no-label]").textContent = fitting.size ? "" : "No label has these words.";
  });
}

// Empty fields are left out of the address.
function leaveOutEmpty({ formData }) {
  for (const name of ["words_from", "words_to"]) if (formData.get(name) === "") formData.delete(name);
}

function watchFilters() {
  const facets = root.querySelector("[data-facets]");
  search.addEventListener("formdata", leaveOutEmpty);
  facets.querySelectorAll("[data-words]").forEach(watchWords);
  facets.querySelectorAll("[data-tree]").forEach(watchLabels);
  watchFacets(search, facets);
}

function boxes() {
  return list ? [...list.querySelectorAll("[name=page]")] : [];
}

function showChosen() {
  for (const box of boxes()) {
    box.checked = chosen.has(Number(box.value));
    const row = box.closest(".hit");
    row.classList.toggle("chosen", box.checked);
    showUse(row, row.querySelector("[data-use]"), box.checked ? uses[box.value] : undefined);
  }
  showShown();
}

// The box over the list stands for the pages shown; below it, how many others are selected.
function showShown() {
  const all = boxes();
  const here = all.filter((box) => box.checked).length;
  const elsewhere = chosen.size - here;
  if (!all.length) return;
  shown.checked = here === all.length;
  shown.indeterminate = here > 0 && here < all.length;
  root.querySelector("[data-elsewhere]").textContent = elsewhere
    ? `${elsewhere.toLocaleString("en-GB")} of the ${chosen.size.toLocaleString("en-GB")} selected not on this page` : "";
}

function showUse(row, place, use) {
  place.className = use ? `use-of ${use}` : "nothing";
  if (!use || !isByHand) place.textContent = use ?? "–";
  else (place.querySelector("select") ?? choiceOfUse(row, place)).value = use;
}

function choiceOfUse(row, place) {
  const select = document.createElement("select");
  select.setAttribute("aria-label", `Use of ${row.querySelector(".name").textContent}`);
  select.append(...USES.map((use) => new Option(use, use)));
  place.replaceChildren(select);
  return select;
}

// Gives a page another use. The numbers of the split go with it, so that no other page moves.
function give(number, use) {
  chosen.add(number);
  for (const [of, step] of [[uses[number], -1], [use, 1]]) {
    const field = bar.elements[FIELDS[of]];
    if (field) field.value = Number(field.value) + step;
  }
  byHand.set(number, use);
  isByHand = true;
  uses[number] = use;
  keep();
}

function store() {
  sessionStorage.setItem(storageKey, JSON.stringify({ chosen: [...chosen], byHand: [...byHand] }));
}

function keep() {
  for (const number of byHand.keys()) if (!chosen.has(number)) byHand.delete(number);
  store();
  showChosen();
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE);
}

function offerAll() {
  for (const button of inside.querySelectorAll("[data-all]")) button.hidden = false;
  for (const place of inside.querySelectorAll("[data-all-found]")) place.textContent = root.dataset.found;
}

// The form's data: the pages selected, here and in earlier searches, and how to split them.
function sent() {
  const data = new FormData(bar);
  data.delete("page");
  data.set("pages", [...chosen].join(","));
  data.set("by_hand", handSplit());
  return data;
}

function handSplit() {
  return [...byHand].map((pair) => pair.join(":")).join(",");
}

// The selector of the bar's control that has the focus, or null.
function focused() {
  const control = document.activeElement;
  if (!inside.contains(control)) return null;
  const hook = control.getAttributeNames().find((name) => name.startsWith("data-") && name !== "data-again");
  return control.name ? `[name="${control.name}"]` : hook ? `[${hook}]` : "button.primary";
}

// Gives the focus to what took the control's place, or else to the page chosen last.
function focus(place) {
  const control = place && inside.querySelector(`${place}:not(:disabled)`);
  if (control) control.focus();
  else if (place) (last ?? list?.querySelector(".hit"))?.focus({ preventScroll: true });
}

// The text of the answer; null, with the reason in the bar, if there is none. The selection stays.
async function read(address, options) {
  inside.querySelector("[data-failure]")?.remove();
  try {
    return await (await request(address, options)).text();
  } catch (failure) {
    inside.append(failureNote(failure, "The pages selected stay selected."));
    return null;
  }
}

async function ask() {
  const asked = ++latest;
  if (chosen.size === 0) {
    const place = focused();
    inside.innerHTML = first;
    inside.querySelector("[data-chosen]").hidden = true;
    offerAll();
    uses = {};
    showChosen();
    focus(place);
    return;
  }
  const text = await read(root.dataset.bar, { method: "POST", body: sent() });
  if (asked !== latest || text === null) return;
  const place = focused();
  const name = inside.querySelector("[name=name]")?.value;
  inside.innerHTML = text;
  if (place === '[name="name"]') inside.querySelector("[name=name]").value = name;
  offerAll();
  focus(place);
  inside.querySelector("[data-by-hand]")?.setAttribute("aria-pressed", String(isByHand));
  uses = JSON.parse(inside.querySelector("[data-uses]")?.dataset.uses ?? "{}");
  showChosen();
}

async function chooseAll() {
  const text = await read(root.dataset.numbers);
  if (text === null) return;
  for (const number of JSON.parse(text).numbers) chosen.add(number);
  keep();
}

// The boxes of these rows were set: their pages join the selection or leave it.
function choose(changed) {
  for (const box of changed.map((row) => rows.boxOf(row))) {
    if (box.checked) chosen.add(Number(box.value));
    else chosen.delete(Number(box.value));
  }
  last = changed.at(-1) ?? last;
  keep();
}

function clear() {
  chosen = new Set();
  keep();
}

function turnByHand(button) {
  isByHand = !isByHand;
  button.setAttribute("aria-pressed", String(isByHand));
  showChosen();
}

function drawAll() {
  byHand.clear();
  keep();
}

function openCopy(row) {
  const copy = root.querySelector("[data-copy]");
  const link = row.querySelector("[data-open]");
  opened = row;
  copy.hidden = false;
  copy.querySelector("[data-copy-title]").textContent = row.querySelector(".name").textContent;
  copy.querySelector("[data-copy-frame]").src = link.dataset.open;
}

function closeCopy() {
  const copy = root.querySelector("[data-copy]");
  if (!copy || copy.hidden) return false;
  const within = copy.contains(document.activeElement);
  copy.hidden = true;
  if (within) opened?.focus();
  return true;
}

// Escape closes the stored copy, else selects none, in this search and in earlier ones.
function escape(event) {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  if (closeCopy()) event.preventDefault();
  else if (chosen.size) {
    clear();
    event.preventDefault();
  }
}

bar.addEventListener("submit", (event) => {
  for (const box of boxes()) box.disabled = true;
  for (const [name, value] of [["pages", [...chosen].join(",")], ["by_hand", handSplit()]]) {
    bar.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  if (chosen.size === 0) event.preventDefault();
});
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const input of bar.querySelectorAll("input[name=pages], input[name=by_hand]")) input.remove();
  for (const box of boxes()) box.disabled = false;
});
bar.addEventListener("change", (event) => {
  if (event.target.matches("[data-again]")) ask();
});
bar.addEventListener("click", (event) => {
  if (event.target.closest("[data-all]")) chooseAll();
  else if (event.target.closest("[data-clear]")) clear();
  else if (event.target.closest("[data-by-hand]")) turnByHand(event.target.closest("[data-by-hand]"));
  else if (event.target.closest("[data-draw-all]")) drawAll();
  else if (event.target.closest("[data-redraw]")) {
    bar.elements.random_seed.value = 1 + Math.floor(Math.random() * 99_999);
    ask();
  }
});
list?.addEventListener("click", (event) => {
  const link = event.target.closest("[data-open]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (window.matchMedia("(max-width: 899px)").matches) return;
  event.preventDefault();
  openCopy(link.closest(".hit"));
});
list?.addEventListener("change", (event) => {
  if (!event.target.closest("[data-use]")) return;
  give(Number(event.target.closest(".hit").dataset.number), event.target.value);
});
root.querySelector("[data-copy-close]")?.addEventListener("click", closeCopy);
document.addEventListener("keydown", escape, true);
if (shown) {
  shown.closest("[data-shown]").hidden = false;
  shown.addEventListener("change", () => rows.selectAll(shown.checked));
}
watchFilters();
ask();
