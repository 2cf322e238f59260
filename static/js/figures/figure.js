// One figure as apps/figures builds it, in the box of components/figure.html: the colours of the
// theme in use, the axis of values full or fitted, labels where curves end. What changes while a
// page is open is a class on top of it.
import { fittedNames, fittedTitle, roomBeside, roomForNames } from "./axis-words.js";
import { endLabels } from "./end-labels.js";
import { FitSwitch, fittedRange, fittedTicks, definedValues } from "./value-axis.js";
import { legible, token } from "./tokens.js";

const CONFIG = { displayModeBar: false, responsive: true, doubleClick: false, scrollZoom: false };
const FEW_TICKS = 420; // pixels: narrower plots have fewer

export class Figure {
  constructor(element, figure) {
    this.id = element.dataset.figure;
    this.element = element;
    this.target = element.querySelector(".plot");
    this.figure = figure;
    this.foot = element.querySelector(".chart-foot");
    this.fit = new FitSwitch(element, this.id, figure.layout.meta, () => this.draw());
    new ResizeObserver(() => this.resized()).observe(this.target);
  }

  // The traces with their values, the x axis, the full scale of the values, and dotted verticals
  // as { at, text }.
  traces() { return this.figure.data; }
  xAxis() { return this.figure.layout.xaxis; }
  fullScale() { return this.figure.layout.yaxis.range; }
  marks() { return this.figure.layout.meta.marks; }

  get unit() { return this.figure.layout.meta.unit; }

  // Labels and ticks are for one width.
  resized() {
    if (this.width !== undefined && this.width !== this.target.clientWidth) this.draw();
  }

  draw() {
    if (!window.Plotly) return;
    this.width = this.target.clientWidth;
    const { traces, layout } = this.drawing(this.width, this.target.clientHeight);
    this.foot.hidden = definedValues(traces).length === 0;
    Plotly.react(this.target, traces, layout, CONFIG);
  }

  // The traces and their layout in so many pixels.
  drawing(width, height, font = this.figure.layout.font) {
    const { margin: least, yaxis, meta } = this.figure.layout;
    const traces = this.traces().map(coloured);
    const empty = definedValues(traces).length === 0;
    const fitted = this.fit.on && !empty;
    const range = fitted ? fittedRange(traces, this.fullScale()) : this.fullScale();
    const title = fittedTitle(yaxis, font, { height, margin: least });
    const space = { width, height, font, margin: { ...least, l: least.l + title.margin } };
    const labels = meta.labelled ? this.labels(traces, range, space) : null;
    if (labels) space.margin.r = labels.margin;
    return { traces, hasLabels: labels !== null, layout: {
      ...this.layout(traces, labels, { ...font, color: token("ink-3") }),
      margin: space.margin,
      xaxis: { ...this.xAxis(), ...edges(), spikecolor: token("ink-3"), nticks: width < FEW_TICKS ? 5 : 8,
        ...fittedNames(this.xAxis(), font, roomForNames(space, this.xAxis())),
        ...(empty && !this.xAxis().range ? { showticklabels: false, ticks: "" } : {}) },
      yaxis: { ...yaxis, ...edges(), gridcolor: token("line"), range, ...title.axis,
        ...fittedNames(yaxis, font, roomBeside(space)), ...(fitted ? fittedTicks(range, this.unit) : {}) },
    } };
  }

  layout(traces, labels, font) {
    const marks = this.marks();
    return {
      ...this.figure.layout,
      font,
      uirevision: "fixed",
      hoverlabel: { bgcolor: token("paper"), bordercolor: token("edge"), font: { ...font, color: token("ink") } },
      shapes: [...marks.map(({ at }) => ({ type: "line", x0: at, x1: at, yref: "paper", y0: 0, y1: 1,
        line: { color: token("ink-2"), width: 1, dash: "2px,3px" } })), ...traces.flatMap(rectangles)],
      annotations: [...(labels?.annotations ?? []), ...marks.map(({ at, text }) => ({ x: at, y: 1, yref: "paper",
        yanchor: "bottom", text, showarrow: false, font: { ...font, color: token("ink-2") } }))],
    };
  }

  labels(traces, range, { width, height, margin, font }) {
    // Plotly gives the range of a logarithmic axis as logarithms.
    const position = this.figure.layout.yaxis.type === "log" ? Math.log10 : Number;
    const curves = traces.filter(({ meta }) => meta.named)
      .map(({ name, y, line }) => ({ name, y: y.findLast((value) => value !== null), color: line.color }))
      .filter(({ y }) => y !== undefined)
      .map(({ name, y, color }) => ({ text: `${name} ${formatValue(y, this.unit)}`, y: Math.max(position(y), range[0]), color }));
    return endLabels(curves, range, { width, height: height - margin.t - margin.b, font });
  }
}

function edges() {
  return { linecolor: token("edge"), tickcolor: token("edge"), zerolinecolor: token("edge") };
}

function coloured(trace) {
  const color = token(trace.meta.colour);
  const styled = { ...trace, opacity: trace.meta.faint ? 0.6 : 1, line: { ...trace.line, color }, marker: { ...trace.marker, color } };
  if (trace.error_y) {
    // Plotly takes null for an error of nothing and draws it.
    styled.error_y = { ...trace.error_y, color, array: trace.error_y.array.map((error) => error ?? undefined) };
  }
  if (trace.meta.cells) styled.textfont = { color: trace.meta.cells.colours.map((name) => legible(token(name))) };
  return styled;
}

// The cells of a trace, under its texts and with a hair of paper between them.
function rectangles({ x, y, meta }) {
  if (!meta.cells) return [];
  const { width, height, colours } = meta.cells;
  return colours.map((colour, i) => ({ type: "rect", layer: "below", x0: x[i] - width / 2, x1: x[i] + width / 2,
    y0: y[i] - height / 2, y1: y[i] + height / 2, fillcolor: token(colour), line: { color: token("paper"), width: 1 } }));
}

// A value in words, by its unit.
export function formatValue(value, unit) {
  if (value === null) return "–";
  if (unit === "share") return `${(100 * value).toFixed(1)} %`;
  if (unit === "probability") return value < 0.001 ? "< 0.001" : value.toFixed(3);
  return unit === "count" ? value.toLocaleString("en-GB", { maximumFractionDigits: 1 }) : value.toFixed(2);
}
