"""The charts as Plotly figures, without their data and without colours.

Each trace names its colour by a token of tokens.css (`meta`); the browser puts in the colour of
the theme in use. Plotly is imported at first use, for it takes a second.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from apps.crawls.charts import CHARTS
from apps.crawls.charts.chart import Chart
from apps.crawls.measures.curves import Line
from apps.figures.units import UNITS

WIDTHS = {"solid": 2.0, "faint": 1.0, "dashed": 1.5}
DASHES = {"solid": "solid", "faint": "solid", "dashed": "6px,5px"}


@cache
def figures() -> dict[str, dict[str, Any]]:
    """By chart id: `{"data": [trace, …], "layout": {…}}`, ready for Plotly in the browser."""
    return {chart.id: json.loads(_figure(chart).to_json()) for chart in CHARTS}


def _figure(chart: Chart) -> Any:
    import plotly.graph_objects as go

    figure = go.Figure([_trace(chart, line) for line in chart.lines])
    figure.update_layout(
        template="none",
        margin={"l": 42, "r": 12, "t": 18, "b": 38, "pad": 0},
        font={"family": "Inter, system-ui, sans-serif", "size": 11},
        showlegend=False,
        hovermode="x unified",
        dragmode=False,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        xaxis=_pages_axis(),
        yaxis=_value_axis(chart),
    )
    return figure


def _trace(chart: Chart, line: Line) -> Any:
    import plotly.graph_objects as go

    return go.Scatter(
        x=[],
        y=[],
        name=line.label,
        mode="lines",
        meta={"colour": line.drawn.colour, "faint": line.drawn.style == "faint"},
        line={
            "width": WIDTHS[line.drawn.style],
            "dash": DASHES[line.drawn.style],
            "shape": "hv" if line.drawn.steps else "linear",
        },
        connectgaps=False,
        cliponaxis=False,
        hovertemplate=f"{line.label} %{{y:{UNITS[chart.unit].hover}}}<extra></extra>",
    )


def _pages_axis() -> dict[str, Any]:
    return {
        "title": {"text": "pages fetched", "standoff": 6, "font": {"size": 11}},
        "range": [0, 100],
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
        "showline": True,
        "ticks": "outside",
        "ticklen": 4,
        "tickformat": ",d",
        "nticks": 8,
        "hoverformat": ",d",
        "unifiedhovertitle": {"text": "page %{x:,d}"},
        "showspikes": True,
        "spikemode": "across",
        "spikethickness": 1,
        "spikedash": "solid",
        "spikesnap": "hovered data",
    }


def _value_axis(chart: Chart) -> dict[str, Any]:
    unit = UNITS[chart.unit]
    axis: dict[str, Any] = {
        "range": [0, unit.ceiling(0.0)],
        "fixedrange": True,
        "showgrid": True,
        "zeroline": False,
        "showline": True,
        "ticks": "",
        "tickformat": unit.tick,
    }
    return axis if unit.step is None else axis | {"dtick": unit.step}
