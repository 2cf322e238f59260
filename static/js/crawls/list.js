// The list of crawls: the keys of its own, and the connections between its parts.
import "../clocks.js";
import "../list-bar.js";
import { Rows } from "../rows.js";
import { annotate } from "./annotate.js";
import { LiveRows } from "./live-rows.js";
import { Selection } from "./selection.js";

const list = document.querySelector("[data-crawls]");
const rows = new Rows(list, {
  row: "[data-crawl]", box: "[name=crawl]", opens: "[data-open]",
  keys: { t: annotate },
  general: { c: () => selection.goCompare() },
  changed: () => selection.show(),
});
const selection = new Selection(list, rows);
new LiveRows(list, selection);

list.addEventListener("click", (event) => {
  const button = event.target.closest("[data-annotate]");
  if (button) return annotate(button.closest("[data-crawl]"));
  const row = event.target.closest("[data-crawl]");
  const aside = event.target.closest("a, button, input, label, .writing");
  if (row && list.hasAttribute("data-choosing") && (!aside || aside.matches("a"))) {
    event.preventDefault();
    rows.toggle(row);
  }
});
