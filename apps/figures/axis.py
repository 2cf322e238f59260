"""An axis: its title, the unit of its numbers, and its ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from apps.figures.units import UNITS

FONT_SIZE = 11


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a figure.

    `unit` is a key of `UNITS`, or "" if the axis has names instead of numbers. `end` is the end of
    the axis, None to derive it from the largest value; `step` the distance between two ticks, None
    for that of the unit. `hover` is the heading beside the pointer, in Plotly's terms.
    """

    title: str = ""
    unit: str = "count"
    end: float | None = None
    step: float | None = None
    hover: str = ""

    def say(self, value: Any) -> str:
        """A value of the axis in words."""
        return UNITS[self.unit].say(value) if self.unit else str(value)

    def ends(self, values: Sequence[float]) -> tuple[float, float]:
        """The full scale of a numeric axis, for these values."""
        unit = UNITS[self.unit]
        largest = max(values, default=0.0)
        return unit.floor, unit.ceiling(largest) if self.end is None else self.end

    def as_plotly(self, values: Sequence[Any]) -> dict[str, Any]:
        """The settings of either axis of a figure, including its full scale."""
        axis: dict[str, Any] = {"fixedrange": True, "showline": True, "zeroline": False}
        if self.title:
            axis["title"] = {"text": self.title, "standoff": 6, "font": {"size": FONT_SIZE}}
        if self.hover:
            axis["unifiedhovertitle"] = {"text": self.hover}
        if not self.unit:
            return axis
        unit = UNITS[self.unit]
        step = self.step or unit.step
        axis |= {"tickformat": unit.tick, "range": [*self.ends(values)], "zeroline": unit.floor < 0}
        return axis if step is None else axis | {"dtick": step}


def pages_fetched(end: int = 100) -> Axis:
    """The axis for what is drawn over a crawl, up to its last page."""
    return Axis("pages fetched", "count", end=end, hover="page %{x:,d}")
