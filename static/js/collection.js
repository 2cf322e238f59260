// A search goes off by itself when a filter changes; the download says how many rows it will have,
// and how large it will be.
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

function isTyping(event) {
  return event.target.closest("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");
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
  const output = form.querySelector(".at-least output");
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
  menu.addEventListener("toggle", () => {
    if (menu.open) count().catch(() => {});
  });
  show();
}

// Labels and explanations of the rows; j and k move through them, y, n and w press what stands there.
class Rows {
  constructor(root) {
    this.root = root;
    this.token = root.querySelector("[name=csrfmiddlewaretoken]").value;
    this.refusal = root.querySelector("[data-refusal]");
    root.addEventListener("click", (event) => this.press(event));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  press(event) {
    const label = event.target.closest("[data-label]");
    const why = event.target.closest("[data-why]");
    if (label) this.say(label);
    if (!why || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.explain(why);
  }

  async say(button) {
    const row = button.closest(".hit");
    const body = new FormData();
    body.set("value", button.dataset.label);
    body.set("csrfmiddlewaretoken", this.token);
    const answer = await fetch(row.dataset.labelAddress, { method: "POST", body }).catch(() => null);
    const said = answer?.ok ? await answer.json() : { message: "The label could not be kept. Reload the page and try again." };
    this.refusal.hidden = Boolean(said.ok);
    if (!said.ok) {
      row.append(this.refusal);
      this.refusal.querySelector("[data-refusal-words]").textContent = said.message;
      return;
    }
    for (const each of row.querySelectorAll("[data-label]")) {
      each.setAttribute("aria-pressed", String(each.dataset.label === said.label));
    }
  }

  async explain(link) {
    const row = link.closest(".hit");
    const open = link.getAttribute("aria-expanded") === "true";
    link.setAttribute("aria-expanded", String(!open));
    if (open) {
      row.querySelector(":scope > .why")?.remove();
      return;
    }
    const panel = document.createElement("div");
    panel.className = "why";
    panel.setAttribute("role", "status");
    panel.textContent = "Reading the page again…";
    row.append(panel);
    const answer = await fetch(row.dataset.whyAddress).catch(() => null);
    if (answer?.ok) panel.innerHTML = await answer.text();
    else panel.textContent = "This could not be explained just now. Close it and try again.";
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const row = document.activeElement.closest(".hit");
    if (event.key === "j" || event.key === "k") this.move(row, event.key === "j" ? 1 : -1);
    else if (row && "yn".includes(event.key)) row.querySelector(`[data-label="${event.key}"]`)?.click();
    else if (row && event.key === "w") row.querySelector("[data-why]").click();
    else return;
    event.preventDefault();
  }

  move(row, step) {
    const rows = [...this.root.querySelectorAll(".hit")];
    const next = row ? rows.indexOf(row) + step : 0;
    rows[Math.min(rows.length - 1, Math.max(0, next))]?.focus();
  }
}

const hits = document.querySelector("[data-hits]");
if (hits) new Rows(hits);
if (search) {
  watchFilters();
  watchRange();
  watchKeys();
  watchDownload();
}
