"""A figure: axes, traces, a text alternative, and the same as a table.

This is the one way in which figures are built. A figure has no theme and no width: the browser
applies the colours and, on request, fits the axis of values to what is drawn
(`static/js/figures/figure.js`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from apps.figures.axis import FONT_SIZE, Axis
from apps.figures.traces import Trace

MARGIN = {"l": 52, "r": 20, "t": 18, "b": 38, "pad": 0}
TITLE_WIDTH = 18


@dataclass(frozen=True, slots=True)
class Table:
    """A head and rows, in words."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure, ready to be drawn.

    `reading` says in a sentence what it shows; `empty` what is missing if it has no values. `table`
    replaces the table of x and values if it can say more. `labelled` curves have their labels at
    their ends, if there is room. `fitted` axes of values are fitted to them until a person asks for
    the full scale. `grouped` shows all values at one x together.
    """

    x: Axis
    y: Axis
    traces: tuple[Trace, ...]
    reading: str = ""
    empty: str = ""
    table: Table | None = None
    labelled: bool = False
    fitted: bool = False
    grouped: bool = True

    @property
    def has_values(self) -> bool:
        return any(value is not None for trace in self.traces for value in trace.y)

    def as_table(self) -> Table:
        """Every value drawn: a row for each x."""
        if self.table is not None:
            return self.table
        places = [*dict.fromkeys(x for trace in self.traces for x in trace.x)]
        columns = [dict(zip(trace.x, trace.y, strict=True)) for trace in self.traces]
        rows = ((self.x.say(x), *(self.y.say(column.get(x)) for column in columns)) for x in places)
        title = self.x.title[:1].upper() + self.x.title[1:]
        return Table((title, *(trace.label for trace in self.traces)), tuple(rows))

    def as_plotly(self) -> dict[str, Any]:
        """`{"data": [trace, …], "layout": {…}}`, as plain values.

        Traces name their colours in `meta`; the layout's `meta` has the unit of the values, and
        whether curves are labelled and the axis is fitted. Plotly is imported at first use, which
        takes a second.
        """
        import plotly.graph_objects as go

        layout = {
            "template": "none",
            "margin": MARGIN | ({"l": MARGIN["l"] + TITLE_WIDTH} if self.y.title else {}),
            "font": {"family": "Inter, system-ui, sans-serif", "size": FONT_SIZE},
            "showlegend": False,
            "dragmode": False,
            "bargap": 0.25,
            "hovermode": "x unified" if self.grouped else "closest",
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "meta": {"unit": self.y.unit, "labelled": self.labelled, "fitted": self.fitted},
            "xaxis": self._x_axis(),
            "yaxis": self.y.as_plotly(_known(trace.y for trace in self.traces))
            | {"showgrid": True, "ticks": ""},
        }  # fmt: skip
        figure = go.Figure([trace.as_plotly(self.y) for trace in self.traces], layout)
        plain: dict[str, Any] = figure.to_plotly_json()
        return plain

    def _x_axis(self) -> dict[str, Any]:
        axis = self.x.as_plotly(_known(trace.x for trace in self.traces))
        axis |= {"showgrid": False, "ticks": "outside", "ticklen": 4}
        if not self.grouped:
            return axis
        return axis | {"showspikes": True, "spikemode": "across", "spikethickness": 1,
                       "spikedash": "solid", "spikesnap": "hovered data"}  # fmt: skip


def _known(columns: Iterable[Iterable[Any]]) -> list[Any]:
    return [value for column in columns for value in column if value is not None]
