// A search goes off by itself when a filter changes; the download says how many rows it will have.
const PAUSE = 200;
const STEP = 0.05;
const search = document.getElementById("search");

// Fields that filter nothing stay out of the address.
function leaveOutDefaults({ formData }) {
  const sent = [...formData];
  for (const [name] of sent) formData.delete(name);
  for (const [name, value] of sent) {
    const usual = search.elements[name].dataset?.default;
    if (value !== "" && (usual === undefined || Number(value) !== Number(usual))) formData.append(name, value);
  }
}

function watchFilters() {
  search.addEventListener("formdata", leaveOutDefaults);
  const facets = document.querySelector("[data-facets]");
  // On a narrow screen the filters hide the list: there they are chosen first, then applied.
  if (window.matchMedia("(max-width: 899px)").matches) {
    facets.open = false;
    return;
  }
  facets.querySelector("[data-apply]").hidden = true;
  for (const field of search.elements) {
    if (facets.contains(field)) field.addEventListener("change", () => search.requestSubmit());
  }
}

function watchRange() {
  const range = document.querySelector("[data-range]");
  if (!range) return;
  const [from, to] = range.querySelectorAll("input");
  const words = document.querySelector("[data-range-words]");
  const bars = document.querySelectorAll(".histogram rect");
  range.addEventListener("input", (event) => {
    // One step at least is left between the two.
    if (event.target === from) from.value = Math.min(from.value, to.value - STEP);
    else to.value = Math.max(to.value, Number(from.value) + STEP);
    words.value = `${Number(from.value).toFixed(2)}–${Number(to.value).toFixed(2)}`;
    bars.forEach((bar, step) => {
      bar.classList.toggle("chosen", step >= Math.round(from.value * 20) && step < Math.round(to.value * 20));
    });
  });
}

function watchKeys() {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
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
  const output = form.querySelector(".at-least output");
  const filters = form.querySelector(".download-filters");
  let latest = 0;
  let timer = 0;

  async function count() {
    const asked = ++latest;
    const answer = await fetch(`${place.dataset.count}?${new URLSearchParams(new FormData(form))}`);
    if (answer.ok && !answer.redirected && asked === latest) place.innerHTML = await answer.text();
  }

  function show() {
    const format = form.querySelector("[name=format]:checked");
    button.textContent = `Download ${format.closest("label").querySelector("b").textContent}`;
    output.value = Number(form.elements.tau_from.value).toFixed(2);
    filters.disabled = format.value === "queue";
  }

  form.addEventListener("input", () => {
    show();
    clearTimeout(timer);
    timer = setTimeout(() => count().catch(() => {}), PAUSE);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && menu.open) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
  document.addEventListener("click", (event) => {
    if (menu.open && !menu.contains(event.target)) menu.open = false;
  });
  show();
}

if (search) {
  watchFilters();
  watchRange();
  watchKeys();
  watchDownload();
}
