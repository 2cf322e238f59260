// One figure as apps/figures builds it, in the box of components/figure.html: the colours of the
// theme in use, the axis of values full or fitted, labels where curves end. What changes while a
// page is open is a class on top of it.
import { endLabels } from "./end-labels.js";
import { FitSwitch, fittedRange, fittedTicks, knownValues } from "./fit.js";
import { token } from "./tokens.js";

const CONFIG = { displayModeBar: false, responsive: true, doubleClick: false, scrollZoom: false };
const FEW_TICKS = 420; // pixels: narrower plots have fewer

export class Figure {
  constructor(element, figure) {
    this.id = element.dataset.figure;
    this.element = element;
    this.target = element.querySelector(".plot");
    this.figure = figure;
    this.foot = element.querySelector(".chart-foot");
    this.fit = new FitSwitch(element, this.id, figure.layout.meta.fitted, () => this.draw());
    new ResizeObserver(() => this.resized()).observe(this.target);
  }

  // The traces with their values, the x axis, the full scale of the values, and dotted verticals
  // as { at, text }.
  traces() { return this.figure.data; }
  xAxis() { return this.figure.layout.xaxis; }
  fullScale() { return this.figure.layout.yaxis.range; }
  marks() { return []; }

  get unit() { return this.figure.layout.meta.unit; }

  // Labels and ticks are for one width.
  resized() {
    if (this.width !== undefined && this.width !== this.target.clientWidth) this.draw();
  }

  draw() {
    if (!window.Plotly) return;
    this.width = this.target.clientWidth;
    const traces = this.traces().map(coloured);
    const hasValues = knownValues(traces).length > 0;
    this.foot.hidden = !hasValues;
    const fitted = hasValues && this.fit.on;
    const range = fitted ? fittedRange(traces, this.fullScale()) : this.fullScale();
    Plotly.react(this.target, traces, this.layout(traces, range, fitted), CONFIG);
  }

  layout(traces, range, fitted) {
    const { layout } = this.figure;
    const font = { ...layout.font, color: token("ink-3") };
    const edge = { linecolor: token("edge"), tickcolor: token("edge"), zerolinecolor: token("edge") };
    const labels = layout.meta.labelled ? this.labels(traces, range) : null;
    const marks = this.marks();
    return {
      ...layout,
      font,
      uirevision: "fixed",
      margin: labels ? { ...layout.margin, r: labels.margin } : layout.margin,
      hoverlabel: { bgcolor: token("paper"), bordercolor: token("edge"), font: { ...font, color: token("ink") } },
      xaxis: { ...this.xAxis(), ...edge, spikecolor: token("ink-3"), nticks: this.width < FEW_TICKS ? 5 : 8 },
      yaxis: { ...layout.yaxis, ...edge, gridcolor: token("line"), range, ...(fitted ? fittedTicks(range, this.unit) : {}) },
      shapes: marks.map(({ at }) => ({ type: "line", x0: at, x1: at, yref: "paper", y0: 0, y1: 1,
        line: { color: token("ink-2"), width: 1, dash: "2px,3px" } })),
      annotations: [...(labels?.annotations ?? []), ...marks.map(({ at, text }) => ({ x: at, y: 1, yref: "paper",
        yanchor: "bottom", text, showarrow: false, font: { ...font, color: token("ink-2") } }))],
    };
  }

  labels(traces, range) {
    const { margin, font } = this.figure.layout;
    const curves = traces.map(({ name, y, line }) => ({ name, y: y.findLast((value) => value !== null), color: line.color }))
      .filter(({ y }) => y !== undefined)
      .map(({ name, y, color }) => ({ text: `${name} ${said(y, this.unit)}`, y, color }));
    return endLabels(curves, range, { width: this.width, height: this.target.clientHeight - margin.t - margin.b, font });
  }
}

function coloured(trace) {
  const color = token(trace.meta.colour);
  return { ...trace, opacity: trace.meta.faint ? 0.6 : 1, line: { ...trace.line, color }, marker: { ...trace.marker, color } };
}

// A value in words, by its unit.
export function said(value, unit) {
  if (value === null) return "–";
  if (unit === "share") return `${(100 * value).toFixed(1)} %`;
  return unit === "count" ? value.toLocaleString("en-GB", { maximumFractionDigits: 1 }) : value.toFixed(2);
}
