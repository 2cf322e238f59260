// The charts. Points come as splices (keep so many, put these behind them), the same for the
// first drawing and for every later one; the drawing happens at most once a second and not while
// the tab is hidden. They are drawn over pages fetched or over active minutes.
import { Clock } from "./clock.js";
import { grouped } from "./marks.js";

const DRAW_EVERY = 1000;
const CONFIG = { displayModeBar: false, responsive: true, doubleClick: false, scrollZoom: false };
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
    this.plots = [...root.querySelectorAll("[data-chart]")].map(
      (element) => new Plot(element, figures[element.dataset.chart], this.clock),
    );
    this.drawnAt = -Infinity;
    this.timer = 0;
    document.addEventListener("visibilitychange", () => this.drawSoon());
    document.addEventListener("themechange", () => this.draw());
    this.linkHover();
  }

  // False where samples between those drawn and those of the message are missing.
  apply(message) {
    const whole = message.kind === "snapshot" && message.after === 0;
    const known = message.seq <= this.seq && !whole;
    if (!known && !whole && message.after !== this.seq) return false;
    if (!known) this.clock.splice(message.curves.clock[0]);
    for (const plot of this.plots) {
      if (!known) plot.splice(message.curves[plot.id]);
      plot.describe(message);
    }
    this.switch.hidden = message.axes.minutes === null;
    if (!known) this.seq = message.seq;
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
    for (const plot of this.plots) plot.draw(this.over);
  }

  choose(button) {
    if (!button) return;
    for (const each of this.switch.querySelectorAll("button")) {
      each.setAttribute("aria-pressed", String(each === button));
    }
    this.over = button.value;
    this.draw();
  }

  // One hover line through all of them.
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

class Plot {
  constructor(element, figure, clock) {
    this.clock = clock;
    this.id = element.dataset.chart;
    this.unit = element.dataset.unit;
    this.element = element;
    this.target = element.querySelector(".plot");
    this.figure = figure;
    this.curves = figure.data.map(() => ({ x: [], y: [] }));
    this.axes = { pages: 100, minutes: null, values: {} };
    this.marks = [];
    this.table = element.querySelector("[data-table]");
    this.table.parentElement.addEventListener("toggle", () => this.fillTable());
    this.shownByOther = false;
  }

  splice(splices) {
    splices.forEach((splice, i) => {
      const { x, y } = this.curves[i];
      this.curves[i] = {
        x: x.slice(0, splice.keep).concat(splice.x),
        y: y.slice(0, splice.keep).concat(splice.y),
      };
    });
  }

  describe(message) {
    this.axes = message.axes;
    this.marks = message.marks;
    const summary = message.summaries[this.id];
    if (summary) this.target.setAttribute("aria-label", summary);
  }

  draw(over) {
    this.place = over === "minutes" ? (page) => this.clock.minutes(page) : (page) => page;
    Plotly.react(this.target, this.traces(), this.layout(AXES[over], this.axes[over]), CONFIG);
    if (!this.listening) this.listen();
    this.fillTable();
  }

  traces() {
    return this.figure.data.map((trace, i) => ({
      ...trace,
      x: this.curves[i].x.map(this.place),
      y: this.curves[i].y,
      opacity: trace.meta.faint ? 0.6 : 1,
      line: { ...trace.line, color: token(trace.meta.colour) },
    }));
  }

  layout(axis, end) {
    const { layout } = this.figure;
    const ink = token("ink-3");
    const font = { ...layout.font, color: ink };
    const marks = grouped(this.marks, this.place, end, this.target.clientWidth);
    return {
      ...layout,
      font,
      uirevision: "fixed",
      hoverlabel: { bgcolor: token("paper"), bordercolor: token("edge"), font: { ...font, color: token("ink") } },
      xaxis: { ...layout.xaxis, ...axis, title: { ...layout.xaxis.title, text: axis.title },
        range: [0, end], linecolor: token("edge"),
        tickcolor: token("edge"), spikecolor: token("ink-3"), nticks: this.target.clientWidth < 420 ? 5 : 8 },
      yaxis: { ...layout.yaxis, linecolor: token("edge"), gridcolor: token("line"),
        range: [0, this.axes.values[this.id] ?? layout.yaxis.range[1]] },
      shapes: marks.map(({ at }) => ({ type: "line", x0: at, x1: at, yref: "paper", y0: 0, y1: 1,
        line: { color: token("ink-2"), width: 1, dash: "2px,3px" } })),
      annotations: marks.map(({ at, text }) => ({ x: at, y: 1, yref: "paper", yanchor: "bottom",
        text, showarrow: false, font: { ...font, color: token("ink-2") } })),
    };
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
      const values = rows.get(page).map((value) => this.words(value));
      const minutes = timed ? [this.clock.minutes(page).toFixed(1)] : [];
      addRow(body, "td", [page.toLocaleString("en-GB"), ...minutes, ...values]);
    }
    this.table.replaceChildren(table);
  }

  words(value) {
    if (value === null) return "–";
    if (this.unit === "share") return `${(100 * value).toFixed(1)} %`;
    return this.unit === "count" ? value.toLocaleString("en-GB") : value.toFixed(2);
  }
}

function addRow(section, kind, texts) {
  const row = section.insertRow();
  texts.forEach((text) => {
    const cell = document.createElement(kind);
    cell.textContent = text;
    row.append(cell);
  });
}

const probe = document.createElement("span");
probe.hidden = true;
document.body.append(probe);

// A colour token as the theme in use gives it.
export function token(name) {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}
