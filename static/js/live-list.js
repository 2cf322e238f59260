// What live lists share: the line about new rows, the totals, the counts, and moving with j and k.
export function announce(list, answer, unit) {
  const waiting = list.querySelector("[data-new]");
  waiting.hidden = !answer.new;
  waiting.firstElementChild.textContent = `${answer.new} new ${unit}${answer.new === 1 ? "" : "s"}. Show`;
  const facts = answer.facts.map((fact) => Object.assign(document.createElement("span"), { textContent: fact }));
  document.querySelector("[data-facts]").replaceChildren(...facts);
  const counts = document.querySelectorAll("[data-count]");
  answer.states.forEach((number, i) => (counts[i].textContent = number.toLocaleString("en-GB")));
}

// Focuses the row `by` places after `row`; without one, the first or the last.
export function move(rows, row, by) {
  const at = rows.indexOf(row);
  const to = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))];
  for (const row of rows) row.tabIndex = row === to ? 0 : -1;
  to?.focus();
}
