// The list of experiments: rows that changed are drawn anew in place, new ones wait behind a line.
import { localiseClocks } from "./clocks.js";
import "./list-bar.js";
import { Fragments } from "./live/fragments.js";
import { announce } from "./live-list.js";
import { Polling } from "./polling.js";
import { Rows } from "./rows.js";

const list = document.querySelector("[data-list]");
const fragments = new Fragments(list);
const rows = () => [...list.querySelectorAll("[data-row]")];

function address() {
  const query = new URLSearchParams(location.search);
  query.set("newest", list.dataset.newest);
  query.set("shown", rows().map(({ dataset }) => `${dataset.row}:${dataset.stamp}`).join(","));
  return `${list.dataset.list}?${query}`;
}

function apply(answer) {
  for (const [row, { html, stamp }] of Object.entries(answer.rows)) {
    document.getElementById(`experiment-${row}`).dataset.stamp = stamp;
    fragments.show(`experiment-${row}`, html);
  }
  for (const row of answer.gone) leave(row);
  announce(list, answer, "experiment");
}

// A deleted experiment's row stays, so that nothing moves.
function leave(number) {
  const row = document.getElementById(`experiment-${number}`);
  row.removeAttribute("data-row");
  row.classList.add("gone");
  row.querySelector(".why").textContent = "deleted";
  for (const link of row.querySelectorAll("a")) link.removeAttribute("href");
}

new Rows(list, { opens: "[data-open]" });
localiseClocks();
if (rows().length) new Polling(list, { address, apply, meanwhile: "experiments go on" });
