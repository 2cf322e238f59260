// The list of topics: / searches, j and k move, Enter opens.
import { typing } from "./crawls/filters.js";
import { move } from "./live-list.js";

const rows = () => [...document.querySelectorAll("[data-topics] [data-row]")];

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || event.defaultPrevented) return;
  const row = document.activeElement.closest("[data-row]");
  if (event.key === "j" || event.key === "k") move(rows(), row, event.key === "j" ? 1 : -1);
  else if (event.key === "Enter" && event.target === row) row.querySelector("a").click();
  else return;
  event.preventDefault();
});
