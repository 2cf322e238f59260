// A link to a line that was not taken selects that line in its field.
function select(field, number) {
  const lines = field.value.split("\n");
  const start = lines.slice(0, number - 1).reduce((length, line) => length + line.length + 1, 0);
  field.focus();
  field.setSelectionRange(start, start + (lines[number - 1] ?? "").length);
  const height = Number.parseFloat(getComputedStyle(field).lineHeight);
  field.scrollTop = Math.max(0, (number - 2) * height);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-line]");
  if (!link) return;
  event.preventDefault();
  select(document.getElementById(link.dataset.field), Number(link.dataset.line));
});
