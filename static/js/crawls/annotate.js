// Tags and note of a crawl, edited in its row: Enter saves, Escape cancels.
import { keepField } from "../drafts.js";
import { changed, command, done } from "./commands.js";

function field(label, value) {
  const input = document.createElement("input");
  input.type = "text";
  input.value = value;
  input.placeholder = label;
  input.setAttribute("aria-label", label);
  return input;
}

export function annotate(row) {
  const button = row.querySelector("[data-annotate]");
  if (!button || row.querySelector(".writing")) return;
  const before = { tags: button.dataset.tags, note: button.dataset.note };
  const line = document.createElement("span");
  const inputs = { tags: field("Tags, separated by commas", before.tags), note: field("Note", before.note) };
  const drops = Object.entries(inputs).map(([name, input]) => keepField(input, `${name} of ${row.dataset.crawl}`));
  const save = document.createElement("button");
  save.type = "button";
  save.className = "button small";
  save.textContent = "Save";
  line.className = "writing";
  line.append(inputs.tags, inputs.note, save);
  row.querySelector(".marks").hidden = true;
  row.querySelector(".what").append(line);
  inputs.tags.focus();

  const close = () => {
    for (const drop of drops) drop();
    line.remove();
    row.querySelector(".marks").hidden = false;
    row.focus();
  };
  const keep = async () => {
    const undo = [];
    for (const name of ["tags", "note"]) {
      if (inputs[name].value.trim() === before[name]) continue;
      if (!(await command(row.dataset.crawl, name, inputs[name].value, line, [["was", before[name]]]))) {
        before[name] = line.dataset.present ?? before[name];
        return;
      }
      undo.push([row.dataset.crawl, name, before[name]]);
    }
    close();
    if (undo.length) done(`Crawl ${row.dataset.crawl}: saved.`, undo);
    changed();
  };
  save.addEventListener("click", keep);
  line.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && event.target !== save) keep();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
