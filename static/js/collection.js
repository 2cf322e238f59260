// A search starts when a filter changes; the download shows how many rows and bytes it will have.
import { watchFacets } from "./facets.js";
import { isTyping } from "./typing.js";

const PAUSE = 200;
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

function watchKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !isTyping(event) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.elements.q.focus();
      search.elements.q.select();
    }
  });
}

function watchDownload() {
  const menu = document.querySelector("[data-download]");
  const form = menu.querySelector("form");
  const place = form.querySelector("[data-count]");
  const button = form.querySelector("[data-download-button]");
  form.querySelector("[data-count-button]").hidden = true;
  const sliders = form.querySelectorAll(".at-least");
  const filters = form.querySelector(".download-filters");
  const estimated = form.querySelector("[data-estimated]");
  let latest = 0;
  let timer = 0;

  async function count() {
    const asked = ++latest;
    const answer = await fetch(`${place.dataset.count}?${new URLSearchParams(new FormData(form))}`);
    if (!answer.ok || answer.redirected) return;
    const { rows, sizes } = await answer.json();
    if (asked !== latest) return;
    place.innerHTML = rows;
    for (const size of form.querySelectorAll("[data-size]")) size.textContent = sizes[size.dataset.size] ?? "";
    estimated.hidden = !Object.values(sizes).some((words) => words.startsWith("≈"));
  }

  function show() {
    const format = form.querySelector("[name=format]:checked");
    button.textContent = `Download ${format.closest("label").querySelector("b").textContent}`;
    for (const slider of sliders) {
      slider.querySelector("output").value = Number(slider.querySelector("input").value).toFixed(2);
    }
    filters.disabled = !format.hasAttribute("data-holds-pages");
  }

  form.addEventListener("input", () => {
    show();
    clearTimeout(timer);
    timer = setTimeout(() => count().catch(() => {}), PAUSE);
  });
  menu.addEventListener("toggle", () => {
    if (menu.open) count().catch(() => {});
  });
  show();
  if (location.hash === "#download") {
    menu.open = true;
    menu.querySelector("summary").focus();
  }
}

if (search) watchKeys();
if (search && document.querySelector("[data-facets]")) {
  document.querySelectorAll("[data-switch]").forEach(watchSwitch);
  watchFilters();
  document.querySelectorAll("[data-range]").forEach(watchRange);
  watchDownload();
}
