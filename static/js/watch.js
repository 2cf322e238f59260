// The rows of a watch: j and k move, d opens the difference, o the versions, y and n label. What
// visits bring meanwhile waits behind a line. The newest visit of the chart is in sight.
import { Polling } from "./polling.js";
import { labelRow } from "./row-label.js";
import { Rows } from "./rows.js";

const list = document.querySelector("[data-news]");
if (list) {
  const press = (selector) => (row) => row.querySelector(selector)?.click();
  const keys = { d: press("[data-diff]"), o: press("a.name"), y: press("[data-label=y]"), n: press("[data-label=n]") };
  new Rows(list, { keys });
  list.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-label]");
    if (button) labelRow(button);
  });
}
const news = document.querySelector("[data-waiting]");
if (news) {
  const line = news.querySelector("[data-new]");
  const apply = ({ new: number }) => {
    line.hidden = !number;
    if (number) line.querySelector("a").textContent = `${number} new since you opened this`;
  };
  new Polling(news, { address: () => news.dataset.waiting, apply, meanwhile: "visits go on" });
}
const chart = document.querySelector(".timeline");
if (chart) chart.scrollLeft = chart.scrollWidth;
