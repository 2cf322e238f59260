// Lists of addresses: line numbers, lines checked on paste and after a pause, corrections.
const PAUSE = 400; // ms without typing

export function checkLists(form, ready) {
  const lists = [...form.querySelectorAll("textarea.addresses")];
  let bad = {};
  let waiting = 0;
  let asked = 0;

  async function check() {
    const number = ++asked;
    const body = new FormData();
    body.append("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
    body.append("web", form.elements.web.value);
    for (const list of lists) body.append(list.name, list.value);
    const answer = await fetch(form.dataset.check, { method: "POST", body }).catch(() => null);
    if (!answer?.ok || number !== asked) return;
    const reports = await answer.json();
    const taken = {};
    for (const [name, report] of Object.entries(reports)) {
      bad[name] = new Set(report.bad);
      taken[name] = report.taken;
      const place = form.querySelector(`[data-lines="${name}"]`);
      const html = form.elements[name].value.trim() ? report.html : "";
      if (place.dataset.shown !== html) place.innerHTML = place.dataset.shown = html;
    }
    lists.forEach((list) => numberLines(list, bad[list.name]));
    ready(taken);
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
