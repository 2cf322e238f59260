// The plots of the measures' page: drawn once, and again when the theme changes.
import { token } from "./live/charts.js";

const CONFIG = { displayModeBar: false, responsive: true, doubleClick: false, scrollZoom: false };

function draw(chart) {
  const { data, layout } = JSON.parse(document.getElementById(chart.dataset.figure).textContent);
  const font = { ...layout.font, color: token("ink-3") };
  const axis = { linecolor: token("edge"), tickcolor: token("edge"), gridcolor: token("line"), zerolinecolor: token("edge") };
  const traces = data.map((trace) => ({
    ...trace,
    line: { ...trace.line, color: token(trace.meta.colour) },
    marker: { ...trace.marker, color: token(trace.meta.colour) },
  }));
  Plotly.react(chart.querySelector(".plot"), traces, {
    ...layout,
    font,
    hoverlabel: { bgcolor: token("paper"), bordercolor: token("edge"), font: { ...font, color: token("ink") } },
    xaxis: { ...layout.xaxis, ...axis },
    yaxis: { ...layout.yaxis, ...axis },
  }, CONFIG);
}

function drawAll() {
  if (window.Plotly) document.querySelectorAll("[data-figure]").forEach(draw);
}

document.addEventListener("themechange", drawAll);
drawAll();
