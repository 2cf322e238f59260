// The parts that are filled in and those that are missing; Save moves to the first missing part and
// names it.
const MISSING = {
  name: "Give the topic a name.",
  seeds: "Give at least one seed: a crawl starts there.",
  positives: "Give positive examples, five or more; or keywords, for strategies that follow words.",
};

export function nameWhatIsMissing(form) {
  const rows = Object.fromEntries(
    [...form.querySelectorAll("[data-ready]")].map((row) => [row.dataset.ready, row]),
  );
  let warned = "";

  function filled(name) {
    if (form.elements[`${name}_file`]?.files.length) return true;
    return form.elements[name].value.trim() !== "";
  }

  function missing() {
    const wanted = ["name", "seeds", ...(filled("keywords") ? [] : ["positives"])];
    return wanted.filter((name) => !filled(name));
  }

  function say(name, tone, words) {
    rows[name].className = `is-${tone}`;
    rows[name].querySelector(".what").textContent = words;
  }

  let taken = {};
  function show(counts = taken) {
    taken = counts;
    const number = (name) => taken[name] ?? 0;
    say("name", filled("name") ? "ok" : "bad", filled("name") ? "" : "missing");
    say("seeds", number("seeds") ? "ok" : "bad", number("seeds") || "missing");
    const positives = number("positives");
    say("positives", positives >= 20 ? "ok" : positives ? "warn" : filled("keywords") ? "quiet" : "bad",
      positives >= 20 ? positives : positives ? `${positives} of about 20` : filled("keywords") ? "none: keywords guide" : "missing");
    const sampled = form.elements.without_negatives.value === "sample";
    say("negatives", number("negatives") ? "ok" : "quiet",
      number("negatives") || (sampled ? "sampled when saved" : "drawn from your other topics"));
    say("targets", number("targets") ? "ok" : "quiet", number("targets") || "none: no recall chart");
    const judging = number("evaluation_positives");
    say("evaluation_positives", judging ? "ok" : "quiet", judging || "none");
  }

  form.addEventListener("input", () => show());
  form.addEventListener("submit", (event) => {
    if (event.submitter?.hasAttribute("data-browse")) return;
    const names = missing();
    for (const place of form.querySelectorAll("[data-missing]")) place.hidden = true;
    // A second click saves the form as it is; only the name is required.
    if (!names.length || (warned === names.join() && !names.includes("name"))) return;
    event.preventDefault();
    warned = names.join();
    const field = form.elements[names[0]];
    const place = field.closest("[data-part]").querySelector("[data-missing]");
    place.textContent = MISSING[names[0]] + (names.includes("name") ? "" : " Save again to save without.");
    place.hidden = false;
    field.focus();
    place.scrollIntoView({ block: "center" });
  });
  show();
  return show;
}
