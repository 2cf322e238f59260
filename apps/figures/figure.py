"""A figure: axes, traces, a text alternative, and the same as a table.

All figures are built with it. A figure has no theme and no width: the browser applies the colours
and, on request, fits the axis of values to what is drawn (`static/js/figures/figure.js`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.text import capfirst

from apps.figures.axis import FONT_SIZE, Axis
from apps.figures.quantities import NOTHING
from apps.figures.traces import Trace
from apps.figures.units import UNITS

MARGIN = {"l": 52, "r": 20, "t": 18, "b": 38, "pad": 0}
TITLE_WIDTH = 18


@dataclass(frozen=True, slots=True)
class FigureTable:
    """A head and rows, in words."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Data:
    """A head and rows of plain values as computed, None where one is unknown: what a file has."""

    head: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure, ready to be drawn.

    `reading` is what it shows, as a sentence; `empty` what is missing if it has no values. `table`
    replaces the table of x and values if it has more, `data` the file of them. `labelled`
    curves have their labels at their ends, if there is room. `fitted` axes of values are fitted to
    them until a person asks for the full scale. `grouped` shows all values at one x together.
    `error` is what error bars are. `marks` are dotted verticals with a word each.
    """

    x: Axis
    y: Axis
    traces: tuple[Trace, ...]
    reading: str = ""
    empty: str = ""
    table: FigureTable | None = None
    data: Data | None = None
    labelled: bool = False
    fitted: bool = False
    grouped: bool = True
    error: str = "standard error"
    marks: tuple[tuple[float, str], ...] = ()

    @property
    def has_values(self) -> bool:
        return any(value is not None for trace in self.traces for value in trace.y)

    @property
    def legend(self) -> tuple[Trace, ...]:
        """The traces that have a name of their own."""
        return tuple(trace for trace in self.traces if trace.named)

    def as_table(self) -> FigureTable:
        """Every value drawn: a row for each x."""
        if self.table is not None:
            return self.table
        xs = [*dict.fromkeys(x for trace in self.traces for x in trace.x)]
        columns = [dict(zip(trace.x, trace.texts(self.y), strict=True)) for trace in self.traces]
        rows = ((self.x.write(x), *(column.get(x, NOTHING) for column in columns)) for x in xs)
        title = capfirst(self.x.title)
        return FigureTable((title, *(trace.label for trace in self.traces)), tuple(rows))

    def as_data(self) -> Data:
        """Every value drawn, unrounded: a row for each, under the label of its trace."""
        if self.data is not None:
            return self.data
        has_errors = any(trace.errors for trace in self.traces)
        rows = (
            (trace.label, self.x.plain(x), y, *([error] if has_errors else []))
            for trace in self.traces
            for x, y, error in zip(
                trace.x, trace.y, trace.errors or [None] * len(trace.y), strict=True
            )
        )
        head = ("series", self.x.title, self.y.title, *([self.error] if has_errors else []))
        return Data(head, tuple(rows))

    def as_plotly(self) -> dict[str, Any]:
        """`{"data": [trace, …], "layout": {…}}`, as plain values.

        Traces name their colours in `meta`; the layout's `meta` has the unit of the values, whether
        their axis can be fitted (`fits`) and is, whether curves are labelled, and the marks. Plotly
        is imported at first use, which takes a second.
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
            "meta": {
                "unit": self.y.unit,
                "labelled": self.labelled,
                "fits": self._fits,
                "fitted": self.fitted and self._fits,
                "marks": [{"at": at, "text": text} for at, text in self.marks],
            },
            "xaxis": self._x_axis(),
            "yaxis": self.y.as_plotly(_defined(trace.y for trace in self.traces))
            | {"showgrid": not self.y.names, "ticks": ""},
        }
        figure = go.Figure([self._trace(trace) for trace in self.traces], layout)
        plain: dict[str, Any] = figure.to_plotly_json()
        return plain

    def _trace(self, trace: Trace) -> dict[str, Any]:
        """The trace for Plotly; beside the pointer a value has the name of its x."""
        drawing = trace.as_plotly(self.y)
        if self.x.names and "text" not in drawing:
            drawing |= {
                "hovertext": [self.x.plain(x) for x in trace.x],
                "hovertemplate": f"%{{hovertext}}: {drawing['hovertemplate']}",
            }
        return drawing

    @property
    def _fits(self) -> bool:
        """Whether the axis of values may begin and end elsewhere."""
        return bool(self.y.unit) and not UNITS[self.y.unit].logarithmic

    def _x_axis(self) -> dict[str, Any]:
        axis = self.x.as_plotly(_defined(trace.x for trace in self.traces))
        axis |= {"showgrid": False, "ticks": "outside", "ticklen": 4}
        if not self.grouped:
            return axis
        return axis | {
            "showspikes": True,
            "spikemode": "across",
            "spikethickness": 1,
            "spikedash": "solid",
            "spikesnap": "hovered data",
        }


def _defined(columns: Iterable[Iterable[Any]]) -> list[Any]:
    return [value for column in columns for value in column if value is not None]
