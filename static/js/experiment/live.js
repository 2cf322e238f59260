// An experiment's page: its pieces and the cells of the matrix are kept up to date, each in its
// place; arrows move over the cells, Enter opens one.
import { localiseClocks } from "../clocks.js";
import { Fragments } from "../live/fragments.js";
import { Polling } from "../polling.js";

const page = document.querySelector("[data-experiment]");
const matrix = page.querySelector("[data-matrix]");
const fragments = new Fragments(page);
const stamped = () => page.querySelectorAll("[data-stamp][id]");

function address() {
  if (!page.hasAttribute("data-moves")) return null;
  const query = new URLSearchParams(location.search);
  query.set("part", page.dataset.part); // the page keeps its part when the experiment ends
  query.set("shown", [...stamped()].map(({ id, dataset }) => `${id}:${dataset.stamp}`).join(","));
  return `${page.dataset.live}?${query}`;
}

function apply({ pieces, rows, stamps, moves }) {
  page.toggleAttribute("data-moves", moves);
  for (const [id, html] of Object.entries(pieces)) {
    const piece = document.getElementById(id);
    if (!piece) continue;
    piece.hidden = !html;
    piece.dataset.stamp = stamps[id];
    fragments.show(id, html);
  }
  for (const [id, html] of Object.entries(rows)) replaceCells(id, html);
}

// Only the cells that differ are replaced, so that focus and selection stay.
function replaceCells(id, html) {
  const old = document.getElementById(id);
  if (!old) return;
  const holder = document.createElement("template");
  holder.innerHTML = html.trim();
  const fresh = holder.content.firstElementChild;
  old.className = fresh.className;
  old.dataset.stamp = fresh.dataset.stamp;
  const cells = [...old.querySelectorAll(".cell")];
  [...fresh.querySelectorAll(".cell")].forEach((cell, place) => {
    if (cells[place].dataset.stamp === cell.dataset.stamp) return;
    const link = cell.querySelector("[data-cell]");
    const before = cells[place].querySelector("[data-cell]");
    link.tabIndex = before.tabIndex;
    const focused = before === document.activeElement;
    cells[place].replaceWith(cell);
    if (focused) link.focus({ preventScroll: true });
  });
}

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const lines = () => [...matrix.tBodies[0].rows].map((row) => [...row.querySelectorAll("[data-cell]")]);

function move(from, [down, right]) {
  const all = lines();
  const line = all.findIndex((cells) => cells.includes(from));
  const row = all[Math.min(all.length - 1, Math.max(0, line + down))];
  const place = all[line].indexOf(from) + right;
  choose(row[Math.min(row.length - 1, Math.max(0, place))]);
}

function choose(link) {
  for (const each of matrix.querySelectorAll("[data-cell][tabindex='0']")) each.tabIndex = -1;
  link.tabIndex = 0;
  link.focus();
}

if (matrix) {
  matrix.querySelectorAll("[data-cell]").forEach((link, place) => (link.tabIndex = place ? -1 : 0));
  matrix.addEventListener("keydown", (event) => {
    const link = event.target.closest("[data-cell]");
    if (!link || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in STEPS) move(link, STEPS[event.key]);
    else if (event.key === "Home") choose(link.closest("tr").querySelector("[data-cell]"));
    else if (event.key === "End") choose([...link.closest("tr").querySelectorAll("[data-cell]")].at(-1));
    else return;
    event.preventDefault();
  });
}

localiseClocks();
new Polling(page, { address, apply, meanwhile: "the experiment goes on" });
