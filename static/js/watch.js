// The rows of a watch: j and k move, d opens the difference, o the versions. The newest visit of the
// chart is in sight.
import { Rows } from "./rows.js";

const list = document.querySelector("[data-news]");
if (list) {
  const press = (selector) => (row) => row.querySelector(selector)?.click();
  new Rows(list, { keys: { d: press("[data-diff]"), o: press("a.name") } });
}
const chart = document.querySelector(".timeline");
if (chart) chart.scrollLeft = chart.scrollWidth;
