// What live lists share: the line about new rows, the totals, the counts.
export function announce(list, answer, unit) {
  const waiting = list.querySelector("[data-new]");
  waiting.hidden = !answer.new;
  waiting.firstElementChild.textContent = `${answer.new} new ${unit}${answer.new === 1 ? "" : "s"}. Show`;
  const facts = answer.facts.map((fact) => Object.assign(document.createElement("span"), { textContent: fact }));
  document.querySelector("[data-facts]").replaceChildren(...facts);
  const counts = document.querySelectorAll("[data-count]");
  answer.states.forEach((number, i) => (counts[i].textContent = number.toLocaleString("en-GB")));
}
