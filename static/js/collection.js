// A search starts when a filter changes.
import { watchDownload } from "./download.js";
import { watchFacets } from "./facets.js";

const STEP = 0.05;
const search = document.getElementById("search");

// Empty fields are left out of the address.
function leaveOutDefaults({ formData }) {
  const sent = [...formData];
  for (const [name] of sent) formData.delete(name);
  for (const [name, value] of sent) {
    const field = search.elements[name];
    const usual = (field instanceof RadioNodeList ? field[0] : field).dataset.default;
    if (value !== "" && value !== usual && Number(value) !== Number(usual)) formData.append(name, value);
  }
}

// How the crawls are matched is asked only once one of them is chosen.
function watchSwitch(choices) {
  const options = [...choices.closest("fieldset").querySelectorAll("input[type=checkbox]")];
  const show = () => {
    const none = !options.some((option) => option.checked);
    for (const choice of choices.querySelectorAll("input")) choice.disabled = none;
  };
  options.forEach((option) => option.addEventListener("change", show));
  show();
}

function watchFilters() {
  search.addEventListener("formdata", leaveOutDefaults);
  watchFacets(search, document.querySelector("[data-facets]"));
}

function watchRange(range) {
  const panel = range.closest("fieldset");
  const [from, to] = range.querySelectorAll("input");
  const words = panel.querySelector("[data-range-words]");
  const bars = panel.querySelectorAll(".histogram rect");
  range.addEventListener("input", (event) => {
    // The two ends stay at least one step apart.
    if (event.target === from) from.value = Math.min(from.value, to.value - STEP);
    else to.value = Math.max(to.value, Number(from.value) + STEP);
    words.value = `${Number(from.value).toFixed(2)}–${Number(to.value).toFixed(2)}`;
    bars.forEach((bar, step) => {
      bar.classList.toggle("chosen", step >= Math.round(from.value * bars.length) && step < Math.round(to.value * bars.length));
    });
  });
}

if (search && document.querySelector("[data-facets]")) {
  document.querySelectorAll("[data-switch]").forEach(watchSwitch);
  watchFilters();
  document.querySelectorAll("[data-range]").forEach(watchRange);
  watchDownload(document.querySelector("[data-download]"));
}
