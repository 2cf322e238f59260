// The charts. Points come as splices (keep these, append those), the same for the first drawing
// and for later ones. They are drawn at most once a second and not while the tab is hidden, over
// pages fetched or active minutes.
import { Figure, formatValue } from "../figures/figure.js";
import { Clock } from "./clock.js";
import { grouped } from "./marks.js";
import { splice } from "./splices.js";

const DRAW_EVERY = 1000;
// A single value, of which no line can be drawn.
const POINT = { mode: "markers", marker: { size: 6 } };
const AXES = {
  pages: { title: "pages fetched", tickformat: ",d", unifiedhovertitle: { text: "page %{x:,d}" } },
  minutes: { title: "active minutes", tickformat: "~f", unifiedhovertitle: { text: "minute %{x:.1f}" } },
};

export class Charts {
  constructor(root, figures) {
    this.seq = 0;
    this.clock = new Clock();
    this.over = "pages";
    this.switch = root.querySelector("[data-x-axis]");
    this.switch.addEventListener("click", (event) => this.choose(event.target.closest("button")));
    this.plots = [...root.querySelectorAll("[data-figure]")].map(
      (element) => new Chart(element, figures[element.dataset.figure], this.clock),
    );
    this.drawnAt = -Infinity;
    this.timer = 0;
    document.addEventListener("visibilitychange", () => this.drawSoon());
    document.addEventListener("themechange", () => this.draw());
    this.linkHover();
  }

  // False if samples between those drawn and those of the message are missing.
  apply(message) {
    const whole = message.kind === "snapshot" && message.after === 0;
    const repeated = message.seq <= this.seq && !whole;
    if (!repeated && !whole && message.after !== this.seq) return false;
    if (!repeated && message.curves.clock[0]) this.clock.splice(message.curves.clock[0]);
    for (const plot of this.plots) {
      if (!repeated) plot.splice(message.curves[plot.id], whole);
      plot.describe(message);
    }
    this.switch.hidden = message.axes.minutes === null;
    if (!repeated) this.seq = message.seq;
    this.drawSoon();
    return true;
  }

  drawSoon() {
    if (document.hidden || this.timer) return;
    const wait = Math.max(0, this.drawnAt + DRAW_EVERY - performance.now());
    this.timer = setTimeout(() => {
      this.timer = 0;
      if (!document.hidden) this.draw();
    }, wait);
  }

  draw() {
    if (!window.Plotly) return;
    this.drawnAt = performance.now();
    for (const plot of this.plots) plot.drawOver(this.over);
  }

  choose(button) {
    if (!button) return;
    for (const each of this.switch.querySelectorAll("button")) {
      each.setAttribute("aria-pressed", String(each === button));
    }
    this.over = button.value;
    this.draw();
  }

  // One hover line through all charts.
  linkHover() {
    for (const plot of this.plots) {
      plot.onHover = (x) => this.others(plot).forEach((other) => other.showAt(x));
      plot.onLeave = () => this.others(plot).forEach((other) => other.showAt(null));
    }
  }

  others(plot) {
    return this.plots.filter((other) => other !== plot);
  }
}

class Chart extends Figure {
  constructor(element, figure, clock) {
    super(element, figure);
    this.clock = clock;
    this.over = "pages";
    this.curves = figure.data.map(() => ({ x: [], y: [] }));
    this.axes = { pages: 100, minutes: null, values: {} };
    this.events = [];
    this.table = element.querySelector("[data-table]");
    this.table.parentElement.addEventListener("toggle", () => this.fillTable());
    this.shownByOther = false;
  }

  // A splice is null where a curve has nothing new.
  splice(splices, whole) {
    if (whole) this.curves = splices.map(() => ({ x: [], y: [] }));
    splices.forEach((added, i) => {
      if (!added) return;
      const { x, y } = this.curves[i];
      this.curves[i] = { x: splice(x, added.keep, added.x), y: splice(y, added.keep, added.y) };
    });
  }

  describe(message) {
    this.axes = message.axes;
    this.events = message.marks;
  }

  drawOver(over) {
    this.over = over;
    this.draw();
    if (!this.listening) this.listen();
    this.fillTable();
  }

  place(page) {
    return this.over === "minutes" ? this.clock.minutes(page) : page;
  }

  traces() {
    return this.figure.data.map((trace, i) => {
      const { x, y } = this.curves[i];
      const alone = y.filter((value) => value !== null).length === 1;
      return { ...trace, ...(alone ? POINT : {}), x: x.map((page) => this.place(page)), y };
    });
  }

  xAxis() {
    const { title, ...axis } = AXES[this.over];
    const xaxis = this.figure.layout.xaxis;
    return { ...xaxis, ...axis, title: { ...xaxis.title, text: title }, range: [0, this.axes[this.over]] };
  }

  fullScale() {
    const [floor, ceiling] = super.fullScale();
    return [floor, this.axes.values[this.id] ?? ceiling];
  }

  marks() {
    return grouped(this.events, (page) => this.place(page), this.axes[this.over], this.width);
  }

  listen() {
    this.listening = true;
    this.target.on("plotly_hover", (event) => {
      if (!this.shownByOther) this.onHover(event.points[0].x);
    });
    this.target.on("plotly_unhover", () => {
      if (!this.shownByOther) this.onLeave();
    });
  }

  showAt(x) {
    if (!this.listening || !this.curves.some((curve) => curve.x.length)) return;
    this.shownByOther = true;
    if (x === null) Plotly.Fx.unhover(this.target);
    else Plotly.Fx.hover(this.target, { xval: x });
    this.shownByOther = false;
  }

  // "As table": every drawn point, newest first.
  fillTable() {
    if (!this.table.parentElement.open) return;
    const used = this.figure.data.map((trace, i) => [trace.name, this.curves[i]])
      .filter(([, curve]) => curve.y.some((value) => value !== null));
    const timed = this.axes.minutes !== null;
    const rows = new Map();
    used.forEach(([, curve], column) => curve.x.forEach((page, i) => {
      if (!rows.has(page)) rows.set(page, Array(used.length).fill(null));
      rows.get(page)[column] = curve.y[i];
    }));
    const table = document.createElement("table");
    table.className = "table";
    addRow(table.createTHead(), "th", ["Pages", ...(timed ? ["Active minutes"] : []), ...used.map(([name]) => name)]);
    const body = table.createTBody();
    for (const page of [...rows.keys()].sort((a, b) => b - a)) {
      const values = rows.get(page).map((value) => formatValue(value, this.unit));
      const minutes = timed ? [this.clock.minutes(page).toFixed(1)] : [];
      addRow(body, "td", [page.toLocaleString("en-GB"), ...minutes, ...values]);
    }
    this.table.replaceChildren(table);
  }
}

function addRow(section, kind, texts) {
  const row = section.insertRow();
  texts.forEach((text, i) => {
    const cell = document.createElement(kind);
    cell.textContent = text;
    if (kind === "th") cell.scope = "col";
    if (i > 0) cell.className = "number";
    row.append(cell);
  });
}
