"""Traces: curves, bars, dots, squares and cells, each with its label and a colour token."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
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

    `colour` is a token of tokens.css; the browser applies it, and the legend shows it as a
    `swatch`. `errors` are half the heights of error bars, one for each value or none at all. A
    trace that is not `named` has no label in the legend or at its end, such as a threshold.
    """

    label: str
    colour: str
    x: Sequence[Any] = ()
    y: Sequence[float | None] = ()
    style: Style = "solid"
    errors: Sequence[float | None] = field(default=(), kw_only=True)
    named: bool = field(default=True, kw_only=True)

    @property
    def swatch(self) -> str:
        return "block"

    def texts(self, axis: Axis) -> list[str]:
        """The values in words, with their errors."""
        errors = self.errors or [None] * len(self.y)
        return [
            axis.write(y) + _error(error, axis) for y, error in zip(self.y, errors, strict=True)
        ]

    @abstractmethod
    def as_plotly(self, axis: Axis) -> dict[str, Any]:
        """The trace for Plotly; `axis` is that of the values."""

    def _common(self, axis: Axis) -> dict[str, Any]:
        meta = {"colour": self.colour, "faint": self.style == "faint", "named": self.named}
        error = "%{customdata}" if self.errors else ""
        hover = f"{self.label} %{{y:{UNITS[axis.unit].hover}}}{error}<extra></extra>"
        drawing = {
            "name": self.label,
            "x": [*self.x],
            "y": [*self.y],
            "meta": meta,
            "hovertemplate": hover,
            "showlegend": self.named,
        }
        return drawing | self._error_bars(axis)

    def _error_bars(self, axis: Axis) -> dict[str, Any]:
        if not self.errors:
            return {}
        bars = {"type": "data", "array": self._bars_drawn(), "thickness": 1.25, "width": 0}
        return {"error_y": bars, "customdata": [_error(error, axis) for error in self.errors]}

    def _bars_drawn(self) -> list[float | None]:
        """The errors that have a bar."""
        return [*self.errors]


@dataclass(frozen=True, slots=True)
class Curve(Trace):
    """A line through the values; `steps` holds each of them until the next.

    `mark` is Plotly's name of a symbol for its end, so that curves differ in more than
    colour. Error bars stand at the values with the indices `bars`, apart from one another.
    """

    steps: bool = False
    mark: str = ""
    bars: Sequence[int] = ()

    @property
    def swatch(self) -> str:
        return self.style

    def as_plotly(self, axis: Axis) -> dict[str, Any]:
        line = {
            "width": WIDTHS[self.style],
            "dash": DASHES[self.style],
            "shape": "hv" if self.steps else "linear",
        }
        mode = "lines+markers" if self.mark else "lines"
        return (
            self._common(axis)
            | self._marker()
            | {
                "type": "scatter",
                "mode": mode,
                "line": line,
                "connectgaps": False,
                "cliponaxis": False,
            }
        )

    def _bars_drawn(self) -> list[float | None]:
        shown = {*self.bars}
        return [error if i in shown else None for i, error in enumerate(self.errors)]

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
            "type": "scatter",
            "mode": "markers",
            "cliponaxis": False,
            "text": [count(number) for number in self.pages],
            "marker": {
                "symbol": "square",
                "size": [4 + 2 * log1p(number) for number in self.pages],
                "line": {"width": 0},
            },
            "hovertemplate": "%{text} pages<extra></extra>",
        }


@dataclass(frozen=True, slots=True)
class Dots(Trace):
    """A mark for each value; `mark` is Plotly's name of its symbol.

    `shift` moves all of them along the axis of positions, so that the marks of several traces stand
    beside each other.
    """

    mark: str = "circle"
    shift: float = 0.0

    @property
    def swatch(self) -> str:
        return "dot"

    def as_plotly(self, axis: Axis) -> dict[str, Any]:
        edge = {"width": 2 if self.mark.endswith("-open") else 0}
        return self._common(axis) | {
            "type": "scatter",
            "mode": "markers",
            "cliponaxis": False,
            "x": [x + self.shift for x in self.x],
            "marker": {"symbol": self.mark, "size": MARK_SIZE, "opacity": 1, "line": edge},
        }


@dataclass(frozen=True, slots=True)
class Cells(Trace):
    """A rectangle at each position (`x`, `y`), `width` × `height`, in one of six neutral shades.

    `shades` are from 0, the faintest, to 5; `words` are what a cell holds, `inside` whether that is
    written in it; `about` names the cell beside the pointer.
    """

    shades: Sequence[int] = ()
    words: Sequence[str] = ()
    about: Sequence[str] = ()
    width: float = 1.0
    height: float = 1.0
    inside: bool = True

    def as_plotly(self, axis: Axis) -> dict[str, Any]:
        tokens = [f"count-{shade}" for shade in self.shades]
        size = {"width": self.width, "height": self.height, "colours": tokens}
        return {
            "type": "scatter",
            "mode": "text" if self.inside else "markers",
            "name": self.label,
            "x": [*self.x],
            "y": [*self.y],
            "text": [*self.words],
            "customdata": [*self.about],
            "hovertemplate": "%{customdata}: %{text}<extra></extra>",
            "marker": {"symbol": "square", "size": 12, "opacity": 0},
            "showlegend": False,
            "meta": {"colour": self.colour, "faint": False, "named": False, "cells": size},
        }


def _error(error: float | None, axis: Axis) -> str:
    return "" if error is None else f" ± {axis.write(error)}"
