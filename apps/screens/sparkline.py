"""A small line of how a figure moved, beside its latest value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.figures.quantities import NOTHING

WIDTH, HEIGHT = 96.0, 22.0


@dataclass(frozen=True, slots=True)
class Sparkline:
    """A line of `WIDTH` × `HEIGHT` in a colour of the theme: `points` for an SVG polyline, where it
    ends, its latest value in words. `top` is the value at the upper edge."""

    title: str
    colour: str
    top: float
    points: str
    end_x: float
    end_y: float
    latest: str


def sparkline(
    title: str, colour: str, values: Sequence[float | None], top: float, latest: str
) -> Sparkline:
    """The line of evenly spaced values, of which None is not drawn; without any it has no points
    and no latest value."""
    points = [(index, value) for index, value in enumerate(values) if value is not None]
    if not points:
        return Sparkline(title, colour, top, "", 0, 0, NOTHING)
    step = (WIDTH - 4) / max(1, len(values) - 1)
    coordinates = [
        (2 + index * step, HEIGHT - 3 - (HEIGHT - 6) * min(1.0, value / top))
        for index, value in points
    ]
    return Sparkline(
        title,
        colour,
        top,
        " ".join(f"{x:.1f},{y:.1f}" for x, y in coordinates),
        round(coordinates[-1][0], 1),
        round(coordinates[-1][1], 1),
        latest,
    )
