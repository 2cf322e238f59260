// Filters beside a list. On a wide screen the list is loaded again when one of them changes, and the
// field has the focus there, too; on a narrow one they cover the list and are applied by a button.
const PAUSE = 400;
const PLACE = "focused-field";

export function watchFacets(search, facets) {
  facets.querySelectorAll("[data-date-bars]").forEach(watchDateBars);
  if (window.matchMedia("(max-width: 899px)").matches) {
    facets.open = false;
    return;
  }
  facets.querySelector("[data-apply]").hidden = true;
  restoreFocus(search);
  let timer = 0;
  for (const field of search.elements) {
    if (facets.contains(field)) field.addEventListener("change", () => {
      // Arrow keys change such a field step by step: only where they end is searched for.
      const pause = field.matches("[type=range], [type=number]") ? PAUSE : 0;
      clearTimeout(timer);
      timer = setTimeout(apply, pause, search, field);
    });
  }
}

// A bar takes its year or month; a press on the one that is taken alone gives it back.
function watchDateBars(bars) {
  const [from, to] = bars.parentElement.querySelectorAll("input[type=text]");
  bars.addEventListener("click", (event) => {
    const bar = event.target.closest("button");
    if (!bar) return;
    const isTaken = from.value === bar.value && to.value === bar.value;
    for (const end of [from, to]) end.value = isTaken ? "" : bar.value;
    from.dispatchEvent(new Event("change"));
  });
}

function apply(search, changed) {
  const focused = document.activeElement;
  keepFocus(focused.form === search ? focused : changed);
  search.requestSubmit();
}

function keepFocus(field) {
  sessionStorage.setItem(PLACE, JSON.stringify([location.pathname, field.name, field.type, field.value]));
}

function restoreFocus(form) {
  const [path, name, type, value] = JSON.parse(sessionStorage.getItem(PLACE) ?? "[]");
  sessionStorage.removeItem(PLACE);
  if (path !== location.pathname) return;
  const alike = [...form.elements].filter((field) => field.name === name && field.type === type);
  (alike.find((field) => field.value === value) ?? alike[0])?.focus({ preventScroll: true });
}
