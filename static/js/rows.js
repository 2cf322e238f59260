// The rows of a list, alike on every screen: j and k move, x selects, X selects up to here, Enter
// opens, / goes to the search, Escape selects none. A list adds the keys of its own.
import { isTyping } from "./typing.js";

// The rows from one to another, in the order of the list.
export function between(rows, from, to) {
  const ends = [rows.indexOf(from), rows.indexOf(to)].sort((a, b) => a - b);
  return ends[0] < 0 ? [to] : rows.slice(ends[0], ends[1] + 1);
}

// The row so many steps from one; without one, the first or the last.
export function stepped(rows, from, step) {
  const at = rows.indexOf(from);
  if (at < 0) return step > 0 ? rows[0] : rows.at(-1);
  return rows[Math.min(rows.length - 1, Math.max(0, at + step))];
}

export class Rows {
  // `row`, `box` and `opens` select a row, its check box and what Enter presses; `keys` maps keys to
  // functions of the row that has the focus, `general` to those that need none; `only` is the row that needs no focus; `changed` hears
  // of the rows whose selection has changed.
  constructor(list, { row = "[data-row]", box = "", opens = "a", keys = {}, general = {}, only = null, changed = () => {} } = {}) {
    Object.assign(this, { list, row, box, opens, keys, general, only, changed });
    this.last = null;
    document.addEventListener("keydown", (event) => this.press(event));
    if (box) list.addEventListener("click", (event) => this.click(event));
  }

  all() { return [...this.list.querySelectorAll(this.row)]; }

  boxOf(row) { return row.querySelector(this.box); }

  selectable() { return this.all().filter((row) => this.boxOf(row)); }

  selected() { return this.box ? this.selectable().filter((row) => this.boxOf(row).checked) : []; }

  focused() { return document.activeElement.closest?.(this.row) ?? this.only; }

  // Sets the boxes of some rows.
  set(rows, checked) {
    for (const row of rows) this.boxOf(row).checked = checked;
    this.changed(rows);
  }

  selectAll(checked) { this.set(this.selectable(), checked); }

  toggle(row) {
    if (!this.boxOf(row)) return;
    this.last = row.id || row;
    this.set([row], !this.boxOf(row).checked);
  }

  // From the row selected before to this one. A row that was drawn anew has its id still.
  selectTo(row) {
    if (!this.boxOf(row)) return;
    const last = this.lastRow();
    this.set(between(this.selectable(), last, row), last ? this.boxOf(last).checked : true);
    this.last = row.id || row;
  }

  lastRow() { return typeof this.last === "string" ? document.getElementById(this.last) : this.last; }

  // Selects none; the focus goes to the row selected last where its button vanishes.
  clear(focus = false) {
    const row = this.lastRow() ?? this.selected().at(-1);
    this.selectAll(false);
    if (focus) row?.focus({ preventScroll: true });
  }

  move(step) {
    const rows = this.all();
    const to = stepped(rows, document.activeElement.closest?.(this.row), step);
    for (const row of rows) row.tabIndex = row === to ? 0 : -1;
    to?.focus();
  }

  click(event) {
    if (!event.target.matches(this.box)) return;
    const row = event.target.closest(this.row);
    const last = this.lastRow();
    const checked = event.target.checked;
    const rows = event.shiftKey && last ? between(this.selectable(), last, row) : [row];
    this.last = row.id || row;
    this.set(rows, checked);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event)) return;
    if (this.act(event, this.focused()) === false) return;
    event.preventDefault();
  }

  // Returns false if the key does nothing here.
  act({ key, target }, row) {
    if (key === "j" || key === "k") return this.move(key === "j" ? 1 : -1);
    if (key === "/") return goToSearch();
    if (key === "Enter") return row && target === row ? row.querySelector(this.opens)?.click() : false;
    if (this.box && key === "Escape") return this.selected().length > 0 && this.clear();
    if (this.box && row && key === "x") return this.toggle(row);
    if (this.box && row && key === "X") return this.selectTo(row);
    if (key in this.general) return this.general[key]();
    return row && key in this.keys ? this.keys[key](row) : false;
  }
}

// Whether the screen has a search, which has the focus then.
function goToSearch() {
  const search = document.querySelector("[data-find], #search [name=q]");
  search?.focus();
  search?.select();
  return search !== null;
}
