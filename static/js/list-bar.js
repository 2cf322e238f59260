// The bar above a list: on a phone Filter shows the other filters.
const toggle = document.querySelector("[data-filter-toggle]");

toggle.addEventListener("click", () => {
  const shown = toggle.getAttribute("aria-expanded") !== "true";
  toggle.setAttribute("aria-expanded", String(shown));
});
