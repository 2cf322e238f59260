import { reason, wayOn } from "../failures.js";
import { request } from "../server.js";

// The classifier's preview: trained a second after the last change; outdated figures are marked.
// `offer` is given the terms that speak for the topic, the strongest first.
const PAUSE = 1000; // ms after the last change
const READ = new Set([
  "name", "web", "language", "without_negatives", "positives", "negatives", "targets",
]);

export function previewClassifier(form, offer) {
  const preview = form.querySelector("[data-preview]");
  const age = form.querySelector("[data-preview-age]");
  let waiting = 0;
  let asked = 0;

  async function train() {
    const number = ++asked;
    const body = new FormData(form);
    for (const name of [...body.keys()]) if (name.endsWith("_file")) body.delete(name);
    let html;
    try {
      html = await (await request(preview.dataset.preview, { method: "POST", body })).text();
    } catch (failure) {
      if (number === asked) age.replaceChildren(`${reason(failure)} `, ...wayOn(failure, "There is no preview."));
      return;
    }
    if (number !== asked) return;
    preview.innerHTML = html;
    age.textContent = "of the lists as they are";
    offer([...preview.querySelectorAll("[data-favours]")].map((term) => term.textContent));
    const f1 = preview.querySelector(".f1");
    form.querySelector("[data-dock]").textContent = f1
      ? `F1 ${f1.textContent.replace(/\s+/g, " ").replace("F1 ", "").trim()}` : "F1 not known yet";
  }

  function soon(event) {
    if (event && !READ.has(event.target.name)) return;
    clearTimeout(waiting);
    age.textContent = preview.querySelector(".f1") ? "before your last change" : "";
    waiting = setTimeout(train, PAUSE);
  }

  form.addEventListener("input", soon);
  form.addEventListener("change", soon);
  if (form.elements.positives.value.trim()) soon();
}
