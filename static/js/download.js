// The download menu: rows and bytes before the press, columns chosen and ordered, choices remembered.
import { failureNote } from "./failures.js";
import { request } from "./server.js";

const PAUSE = 200;
const KEY = "download";
const REMEMBERED = ["without_duplicates", "without_script_only"];

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

function remember(choice) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...remembered(), ...choice }));
  } catch {
    // A browser that stores nothing begins with the presets each time.
  }
}

// The list of columns; until one is ticked or moved it follows what is usual for the format.
class Columns {
  constructor(fieldset) {
    this.fieldset = fieldset;
    this.list = fieldset.querySelector("[data-column-list]");
    this.fieldset.disabled = false;
    this.own = remembered().columns ?? null;
    this.standard = [...this.list.children];
    this.list.addEventListener("change", () => this.keep());
    this.list.addEventListener("keydown", (event) => this.moveByKey(event));
    fieldset.querySelector("[data-usual-columns]").addEventListener("click", () => {
      this.own = null;
      remember({ columns: null });
      this.show(this.usual);
      this.list.dispatchEvent(new Event("input", { bubbles: true }));
    });
    this.watchDrag();
  }

  get chosen() {
    return [...this.list.querySelectorAll("input:checked")].map((box) => box.value);
  }

  follow(usual) {
    this.usual = usual;
    this.fieldset.hidden = !usual.length;
    if (usual.length) this.show(this.own ?? usual);
  }

  show(names) {
    const rank = (row) => (names.includes(row.dataset.column) ? names.indexOf(row.dataset.column) : names.length);
    // A focused row that is moved would lose the focus.
    if (this.own === null || !this.list.contains(document.activeElement)) {
      this.list.replaceChildren(...[...this.standard].sort((one, other) => (this.own ? rank(one) - rank(other) : 0)));
    }
    for (const box of this.list.querySelectorAll("input")) box.checked = names.includes(box.value);
    this.say();
  }

  keep() {
    this.own = this.chosen;
    remember({ columns: this.own });
    this.say();
  }

  say() {
    const names = this.chosen;
    this.fieldset.querySelector("[data-chosen]").textContent = names.length;
    this.fieldset.querySelector("[data-column-names]").textContent = names.length ? names.join(", ") : "none: the usual ones";
    const link = this.fieldset.querySelector("[data-dictionary]");
    const query = new URLSearchParams(link.search);
    if (names.length) query.set("columns", names.join(","));
    else query.delete("columns");
    link.search = query;
  }

  moved() {
    this.keep();
    this.list.dispatchEvent(new Event("input", { bubbles: true }));
  }

  moveByKey(event) {
    if (!event.altKey || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    const row = event.target.closest("li");
    const other = event.key === "ArrowUp" ? row.previousElementSibling : row.nextElementSibling;
    if (!other) return;
    // The neighbour moves, so that the row keeps the focus.
    if (event.key === "ArrowUp") row.after(other);
    else row.before(other);
    row.scrollIntoView({ block: "nearest" });
    this.moved();
  }

  watchDrag() {
    let dragged = null;
    this.list.addEventListener("dragstart", (event) => {
      dragged = event.target.closest("li");
      event.dataTransfer.effectAllowed = "move";
    });
    this.list.addEventListener("dragover", (event) => {
      const row = event.target.closest("li");
      if (!dragged || !row || row === dragged) return;
      event.preventDefault();
      const { top, height } = row.getBoundingClientRect();
      if (event.clientY < top + height / 2) row.before(dragged);
      else row.after(dragged);
    });
    this.list.addEventListener("drop", (event) => event.preventDefault());
    this.list.addEventListener("dragend", () => {
      dragged = null;
      this.moved();
    });
  }
}

// What the form asks for: columns only where the format has them and somebody has chosen.
function asked(form, columns) {
  const values = new FormData(form);
  if (!columns.own) values.delete("columns");
  return values;
}

function restore(form) {
  const choice = remembered();
  for (const name of REMEMBERED) {
    const box = form.elements[name];
    if (box && choice[name] !== undefined) box.checked = choice[name];
  }
  const format = [...form.elements.format].find((radio) => radio.value === choice.format && !radio.disabled);
  if (!format) return;
  format.checked = true;
  const more = format.closest("[data-more-formats]");
  if (more) more.open = true;
}

export function watchDownload(menu) {
  const form = menu.querySelector("form");
  const line = form.querySelector("[data-count]");
  const button = form.querySelector("[data-download-button]");
  const sliders = form.querySelectorAll(".at-least");
  const ticks = form.querySelectorAll("[data-tick]");
  const filters = form.querySelector(".download-filters");
  const estimated = form.querySelector("[data-estimated]");
  const columns = new Columns(form.querySelector("[data-columns]"));
  let latest = 0;
  let timer = 0;
  form.querySelector("[data-count-button]").hidden = true;

  async function count() {
    const order = ++latest;
    const query = new URLSearchParams(asked(form, columns));
    for (const tick of ticks) query.append("ticks", tick.name);
    let answer;
    try {
      answer = await request(`${line.dataset.count}?${query}`);
    } catch (failure) {
      if (order === latest) line.replaceChildren(failureNote(failure, "The rows are not counted."));
      return;
    }
    const { rows, number, sizes, effects } = await answer.json();
    if (order !== latest) return;
    line.innerHTML = rows;
    const pages = Number(line.dataset.pages);
    if (form.querySelector("[name=format]:checked").hasAttribute("data-holds-pages") && number < pages) {
      line.append(` of ${pages.toLocaleString("en")}`);
    }
    for (const size of form.querySelectorAll("[data-size]")) size.textContent = sizes[size.dataset.size] ?? "";
    for (const tick of ticks) {
      const pages = effects[tick.name];
      tick.closest("label").querySelector("[data-takes]").textContent = pages === undefined ? "" : pages ? `−${pages.toLocaleString("en")}` : "0";
    }
    estimated.hidden = !Object.values(sizes).some((words) => words.startsWith("≈"));
  }

  function show() {
    const format = form.querySelector("[name=format]:checked");
    button.textContent = `Download ${format.closest("label").querySelector("b").textContent}`;
    for (const slider of sliders) {
      slider.querySelector("output").value = Number(slider.querySelector("input").value).toFixed(2);
    }
    filters.disabled = !format.hasAttribute("data-holds-pages");
    return format;
  }

  function follow() {
    columns.follow(show().dataset.usual.split(",").filter(Boolean));
  }

  form.addEventListener("input", (event) => {
    show();
    if (event.target.name === "format") {
      remember({ format: event.target.value });
      follow();
    } else if (REMEMBERED.includes(event.target.name)) {
      remember({ [event.target.name]: event.target.checked });
    }
    clearTimeout(timer);
    timer = setTimeout(count, PAUSE);
  });
  form.addEventListener("formdata", ({ formData }) => {
    if (!columns.own) formData.delete("columns");
  });
  menu.addEventListener("toggle", (event) => {
    if (event.target === menu && menu.open) count();
  });
  restore(form);
  follow();
  if (location.hash === "#download") {
    menu.open = true;
    menu.querySelector("summary").focus();
  }
}
