// The filter bar: "/" focuses the search; on a phone Filter shows the other filters.
const search = document.querySelector("[data-find]");
const toggle = document.querySelector("[data-filter-toggle]");

export const typing = (target) => target.matches("input:not([type=checkbox]), textarea, select");

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || typing(event.target)) return;
  event.preventDefault();
  search.focus();
  search.select();
});

toggle.addEventListener("click", () => {
  const shown = toggle.getAttribute("aria-expanded") !== "true";
  toggle.setAttribute("aria-expanded", String(shown));
});
