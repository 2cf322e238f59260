// The parts that are filled in and those that are missing; Save moves to the first missing part and
// names it, until it is there.
const LEAST_EXAMPLES = 2;
const MISSING = {
  name: "Give the topic a name.",
  seeds: "Give at least one seed: a crawl starts there.",
  positives: "Give positive examples, five or more; or keywords, for strategies that follow words.",
  fewPositives: `Give at least ${LEAST_EXAMPLES} positive examples: fewer train no classifier.`,
};

export function nameWhatIsMissing(form) {
  const rows = Object.fromEntries(
    [...form.querySelectorAll("[data-ready]")].map((row) => [row.dataset.ready, row]),
  );
  let warned = "";
  let shown = null; // what is said to be missing: [the field's name, the words' name]

  // The lines typed in a field; Infinity with a file, which is read when it is sent.
  function lines(name) {
    if (form.elements[`${name}_file`]?.files.length) return Infinity;
    return form.elements[name].value.split("\n").filter((line) => line.trim()).length;
  }

  function filled(name) {
    return lines(name) > 0;
  }

  function missing() {
    const few = filled("positives") ? "fewPositives" : "positives";
    const enough = lines("positives") >= LEAST_EXAMPLES || (filled("keywords") && !filled("positives"));
    return [
      ...["name", "seeds"].filter((name) => !filled(name)).map((name) => [name, name]),
      ...(enough ? [] : [["positives", few]]),
    ];
  }

  function sayMissing(gap) {
    for (const place of form.querySelectorAll("[data-missing]")) place.hidden = true;
    shown = gap ?? null;
    if (!shown) return;
    const [name, words] = shown;
    const place = form.elements[name].closest("[data-part]").querySelector("[data-missing]");
    place.textContent = MISSING[words] + (name === "name" ? "" : " Save again to save it unfinished.");
    place.hidden = false;
    place.scrollIntoView({ block: "center" });
  }

  function say(name, tone, words) {
    rows[name].className = `is-${tone}`;
    rows[name].querySelector(".what").textContent = words;
  }

  function canDraw() {
    return rows.negatives.dataset.drawnOn.split(" ").includes(form.elements.web.value || "live");
  }

  function unnamedNegatives() {
    if (form.elements.without_negatives.value === "sample") return ["quiet", "sampled when saved"];
    if (canDraw()) return ["quiet", "drawn from your other topics"];
    return [filled("positives") ? "warn" : "quiet", "none to draw from on this web"];
  }

  let taken = {};
  function show(counts = taken) {
    taken = counts;
    form.querySelector("[data-to-draw]").hidden = !canDraw();
    form.querySelector("[data-none-to-draw]").hidden = canDraw();
    const number = (name) => taken[name] ?? 0;
    say("name", filled("name") ? "ok" : "bad", filled("name") ? "" : "missing");
    say("seeds", number("seeds") ? "ok" : "bad", number("seeds") || "missing");
    const positives = number("positives");
    if (positives >= LEAST_EXAMPLES) {
      say("positives", positives >= 20 ? "ok" : "warn", positives >= 20 ? positives : `${positives} of about 20`);
    } else if (positives) say("positives", "bad", `${positives}: a classifier needs ${LEAST_EXAMPLES}`);
    else if (filled("keywords")) say("positives", "quiet", "none: keywords guide");
    else say("positives", "bad", "missing");
    if (number("negatives")) say("negatives", "ok", number("negatives"));
    else if (lines("negatives") === Infinity) say("negatives", "ok", "in the file");
    else say("negatives", ...unnamedNegatives());
    say("targets", number("targets") ? "ok" : "quiet", number("targets") || "none: no recall chart");
    const judging = number("evaluation_positives");
    say("evaluation_positives", judging ? "ok" : "quiet", judging || "none");
  }

  form.addEventListener("input", () => {
    show();
    if (shown && !missing().some((each) => each.join() === shown.join())) sayMissing(null);
  });
  form.addEventListener("submit", (event) => {
    if (event.submitter?.hasAttribute("data-browse")) return;
    const gaps = missing();
    // A second click saves the form as it is; only the name is required.
    if (!gaps.length || (warned === gaps.join() && filled("name"))) return sayMissing(null);
    event.preventDefault();
    warned = gaps.join();
    form.elements[gaps[0][0]].focus();
    sayMissing(gaps[0]);
  });
  show();
  return show;
}
