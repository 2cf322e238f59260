// The list of crawls: its keys, and the connections between its parts.
import "../clocks.js";
import { move } from "../live-list.js";
import { annotate } from "./annotate.js";
import { typing } from "./filters.js";
import { LiveRows } from "./live-rows.js";
import { Selection } from "./selection.js";

const list = document.querySelector("[data-crawls]");
const selection = new Selection(list);
new LiveRows(list, selection);

const here = () => document.activeElement.closest?.("[data-crawl]");

const KEYS = {
  j: (row) => move(selection.rows(), row, 1),
  k: (row) => move(selection.rows(), row, -1),
  x: (row) => row && selection.toggle(row),
  X: (row) => row && selection.range(row),
  t: (row) => row && annotate(row),
  c: () => selection.goCompare(),
  Escape: () => selection.clear(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (event.key === "Enter" && event.target.matches("[data-crawl]")) {
    event.target.querySelector("[data-open]").click();
  } else if (event.key in KEYS && !event.defaultPrevented) {
    event.preventDefault();
    KEYS[event.key](here());
  }
});

list.addEventListener("click", (event) => {
  const button = event.target.closest("[data-annotate]");
  if (button) return annotate(button.closest("[data-crawl]"));
  const row = event.target.closest("[data-crawl]");
  if (!row) return;
  const aside = event.target.closest("a, button, input, label, .writing");
  if (event.shiftKey && event.target.matches("[name=crawl]")) selection.range(row);
  else if (event.target.matches("[name=crawl]")) selection.last = row.dataset.crawl;
  else if (list.hasAttribute("data-choosing") && (!aside || aside.matches("a"))) {
    event.preventDefault();
    selection.toggle(row);
  }
});
