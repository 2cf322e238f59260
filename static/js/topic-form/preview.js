// The classifier's preview: trained a second after the last change; outdated figures are marked.
// `offer` is given the terms that speak for the topic, the strongest first.
const PAUSE = 1000; // ms after the last change
const READ = new Set([
  "name", "web", "language", "without_negatives", "positives", "negatives", "targets",
]);

export function previewClassifier(form, offer) {
  const place = form.querySelector("[data-preview]");
  const age = form.querySelector("[data-preview-age]");
  let waiting = 0;
  let asked = 0;

  async function train() {
    const number = ++asked;
    const body = new FormData(form);
    for (const name of [...body.keys()]) if (name.endsWith("_file")) body.delete(name);
    const answer = await fetch(place.dataset.preview, { method: "POST", body }).catch(() => null);
    if (number !== asked) return;
    if (!answer?.ok) {
      age.textContent = "no preview: the site did not answer";
      return;
    }
    place.innerHTML = await answer.text();
    age.textContent = "of the lists as they are";
    offer([...place.querySelectorAll("[data-favours]")].map((term) => term.textContent));
    const measured = place.querySelector(".f1");
    form.querySelector("[data-dock]").textContent = measured
      ? `F1 ${measured.textContent.replace(/\s+/g, " ").replace("F1 ", "").trim()}` : "F1 not known yet";
  }

  function soon(event) {
    if (event && !READ.has(event.target.name)) return;
    clearTimeout(waiting);
    age.textContent = place.querySelector(".f1") ? "before your last change" : "";
    waiting = setTimeout(train, PAUSE);
  }

  form.addEventListener("input", soon);
  form.addEventListener("change", soon);
  if (form.elements.positives.value.trim()) soon();
}
