"""An axis: its title, the unit of its numbers, and its ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any

from apps.engine.evaluation.measure import Measure
from apps.figures.units import UNITS, Unit

FONT_SIZE = 11
LEAST = 1e-9
"""The end of a logarithmic axis, however small its values are."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a figure.

    `unit` is a key of `UNITS`, or "" if the axis has names instead of numbers: `names` are those
    at 0, 1, 2 …, unless the values are the names; `ticks` are shorter ones to stand at the axis.
    `end` is the end of the axis, None to derive it from the largest value; `start` its beginning,
    None for that of the unit; `step` the distance between two ticks, None for that of the unit.
    `hover` is the heading beside the pointer, in Plotly's terms.
    """

    title: str = ""
    unit: str = "count"
    end: float | None = None
    step: float | None = None
    hover: str = ""
    names: tuple[str, ...] = ()
    ticks: tuple[str, ...] = ()
    start: float | None = None

    def write(self, value: Any) -> str:
        """A value of the axis in words."""
        return UNITS[self.unit].write(value) if self.unit else str(self.plain(value))

    def plain(self, value: Any) -> Any:
        """A value of the axis as a file has it: the number, or its name."""
        return self.names[value] if self.names else value

    def ends(self, values: Sequence[float]) -> tuple[float, float]:
        """The full scale of a numeric axis, for these values."""
        if self.names:
            return -0.5, len(self.names) - 0.5
        unit = UNITS[self.unit]
        low = unit.floor if self.start is None else self.start
        if unit.logarithmic and self.start is None:
            least = max(min(values, default=1.0), LEAST)
            low = min(low, 10.0 ** floor(log10(least)))
        return low, unit.ceiling(max(values, default=0.0)) if self.end is None else self.end

    def as_plotly(self, values: Sequence[Any]) -> dict[str, Any]:
        """The settings of either axis of a figure, including its full scale."""
        axis: dict[str, Any] = {"fixedrange": True, "showline": True, "zeroline": False}
        if self.title:
            axis["title"] = {"text": self.title, "standoff": 6, "font": {"size": FONT_SIZE}}
        if self.hover:
            axis["unifiedhovertitle"] = {"text": self.hover}
        if self.names:
            ticks = [*range(len(self.names))]
            return axis | {
                "range": [*self.ends(values)],
                "tickvals": ticks,
                "automargin": True,
                "ticktext": [*(self.ticks or self.names)],
            }
        if not self.unit:
            return axis
        unit = UNITS[self.unit]
        if unit.logarithmic:
            return axis | _powers(unit, *self.ends(values))
        step = self.step or unit.step
        axis |= {"tickformat": unit.tick, "range": [*self.ends(values)], "zeroline": unit.floor < 0}
        return axis if step is None else axis | {"dtick": step}


def _powers(unit: Unit, low: float, high: float) -> dict[str, Any]:
    """A logarithmic axis; Plotly takes its ends as logarithms."""
    ends = [log10(low), log10(high)]
    ticks = [10.0**power for power in range(ceil(ends[1]), floor(ends[0]) - 1, -2)]
    return {
        "type": "log",
        "range": ends,
        "tickvals": ticks,
        "ticktext": [f"{tick:.9f}".rstrip("0").rstrip(".") for tick in ticks],
    }


def axis_of(measure: type[Measure]) -> Axis:
    """The axis of a measure's values."""
    return Axis(measure.phrase(), measure.unit)


def pages_fetched(end: int = 100) -> Axis:
    """The axis for what is drawn over a crawl, up to its last page."""
    return Axis("pages fetched", "count", end=end, hover="page %{x:,d}")
