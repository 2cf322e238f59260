import { failureNote } from "../failures.js";
import { request } from "../server.js";

// Lists of addresses: line numbers, lines checked on paste and after a pause, corrections.
const PAUSE = 400; // ms without typing

export function checkLists(form, ready) {
  const lists = [...form.querySelectorAll("textarea.addresses")];
  const bad = {};
  let waiting = 0;
  let asked = 0;

  async function check() {
    const number = ++asked;
    const body = new FormData();
    body.append("web", form.elements.web.value);
    for (const list of lists) body.append(list.name, list.value);
    let reports;
    try {
      reports = await (await request(form.dataset.check, { method: "POST", body })).json();
    } catch (failure) {
      if (number === asked) showUnchecked(failure);
      return;
    }
    if (number !== asked) return;
    const taken = {};
    for (const { name } of lists) {
      const report = reports[name];
      bad[name] = new Set(report.bad);
      taken[name] = report.taken;
      const box = form.querySelector(`[data-lines="${name}"]`);
      const html = form.elements[name].value.trim() ? report.html : "";
      if (box.dataset.shown !== html) box.innerHTML = box.dataset.shown = html;
    }
    lists.forEach((list) => numberLines(list, bad[list.name]));
    ready(taken);
  }

  // The lists that have lines, since these are unchecked now.
  function showUnchecked(failure) {
    for (const list of lists.filter(({ value }) => value.trim())) {
      const box = form.querySelector(`[data-lines="${list.name}"]`);
      box.replaceChildren(failureNote(failure, "The lines are not checked; what you typed is kept in this browser."));
      delete box.dataset.shown;
    }
  }

  function soon(delay) {
    clearTimeout(waiting);
    waiting = setTimeout(check, delay);
  }

  for (const list of lists) {
    list.parentElement.classList.add("is-numbered");
    list.previousElementSibling.hidden = false;
    list.addEventListener("input", () => { numberLines(list, bad[list.name]); soon(PAUSE); });
    list.addEventListener("paste", () => soon(0));
    list.addEventListener("scroll", () => { list.previousElementSibling.scrollTop = list.scrollTop; });
  }
  form.addEventListener("click", (event) => {
    const link = event.target.closest("[data-line]");
    const button = event.target.closest("[data-mend]");
    if (link) {
      event.preventDefault();
      select(document.getElementById(link.dataset.field), Number(link.dataset.line));
    } else if (button) {
      mend(document.getElementById(button.dataset.field), Number(button.dataset.mend), button.dataset.text);
    }
  });
  form.elements.web.addEventListener("change", () => soon(0));
  lists.forEach((list) => numberLines(list));
  check();
}

function numberLines(list, bad = new Set()) {
  const gutter = list.previousElementSibling;
  const count = Math.max(1, list.value.split("\n").length);
  gutter.replaceChildren(...Array.from({ length: count }, (_, i) => {
    const line = document.createElement("span");
    line.textContent = i + 1;
    line.classList.toggle("is-bad", bad.has(i + 1));
    return line;
  }));
  gutter.scrollTop = list.scrollTop;
}

// Replaces the line by its correction, or removes it.
function mend(list, number, text) {
  const lines = list.value.split("\n");
  lines.splice(number - 1, 1, ...(text === undefined ? [] : [text]));
  list.value = lines.join("\n");
  list.focus();
  list.dispatchEvent(new Event("input", { bubbles: true }));
  list.dispatchEvent(new Event("paste"));
}

function select(field, number) {
  const lines = field.value.split("\n");
  const start = lines.slice(0, number - 1).reduce((length, line) => length + line.length + 1, 0);
  field.focus();
  field.setSelectionRange(start, start + (lines[number - 1] ?? "").length);
  const height = Number.parseFloat(getComputedStyle(field).lineHeight);
  field.scrollTop = Math.max(0, (number - 2) * height);
}
