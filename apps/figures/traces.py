"""Traces: curves, bars and squares, each with its label and a colour token of tokens.css."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import log1p
from typing import Any

from apps.engine.curve_spec import Style
from apps.figures.axis import Axis
from apps.figures.quantities import count
from apps.figures.units import UNITS

WIDTHS = {"solid": 2.0, "faint": 1.0, "dashed": 1.5}
MARK_SIZE = 8
DASHES = {"solid": "solid", "faint": "solid", "dashed": "6px,5px"}


@dataclass(frozen=True, slots=True)
class Trace(ABC):
    """Values `y` at positions `x`, None where one is unknown.

    The browser applies the colour of the current theme; the legend shows it as a `swatch`.
    """

    label: str
    colour: str
    x: Sequence[Any] = ()
    y: Sequence[float | None] = ()
    style: Style = "solid"

    @property
    def swatch(self) -> str:
        return "block"

    @abstractmethod
    def as_plotly(self, axis: Axis) -> dict[str, Any]:
        """The trace for Plotly; `axis` is that of the values."""

    def _common(self, axis: Axis) -> dict[str, Any]:
        meta = {"colour": self.colour, "faint": self.style == "faint"}
        hover = f"{self.label} %{{y:{UNITS[axis.unit].hover}}}<extra></extra>"
        return {"name": self.label, "x": [*self.x], "y": [*self.y], "meta": meta,
                "hovertemplate": hover}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Curve(Trace):
    """A line through the values; `steps` holds each of them until the next. `mark` is Plotly's name
    of a symbol for its end, so that colour alone need not tell curves apart."""

    steps: bool = False
    mark: str = ""

    @property
    def swatch(self) -> str:
        return self.style

    def as_plotly(self, axis: Axis) -> dict[str, Any]:
        line = {"width": WIDTHS[self.style], "dash": DASHES[self.style],
                "shape": "hv" if self.steps else "linear"}  # fmt: skip
        mode = "lines+markers" if self.mark else "lines"
        return self._common(axis) | self._marker() | {
            "type": "scatter", "mode": mode, "line": line, "connectgaps": False,
            "cliponaxis": False}  # fmt: skip

    def _marker(self) -> dict[str, Any]:
        if not self.mark:
            return {}
        sizes = [0] * (len(self.y) - 1) + [MARK_SIZE]
        edge = {"width": 2 if self.mark.endswith("-open") else 0}
        return {"marker": {"symbol": self.mark, "size": sizes, "opacity": 1, "line": edge}}


@dataclass(frozen=True, slots=True)
class Bars(Trace):
    """A bar for each value, from zero."""

    def as_plotly(self, axis: Axis) -> dict[str, Any]:
        return self._common(axis) | {"type": "bar"}


@dataclass(frozen=True, slots=True)
class Squares(Trace):
    """A square for each position; its side is by the logarithm of its `pages`."""

    pages: Sequence[int] = ()

    def as_plotly(self, axis: Axis) -> dict[str, Any]:
        return self._common(axis) | {
            "type": "scatter", "mode": "markers", "cliponaxis": False,
            "text": [count(number) for number in self.pages],
            "marker": {"symbol": "square",
                       "size": [4 + 2 * log1p(number) for number in self.pages],
                       "line": {"width": 0}},
            "hovertemplate": "%{text} pages<extra></extra>",
        }  # fmt: skip
