"""The units of numbers: how they are written, explained and drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from apps.figures.quantities import NOTHING, THIN, count, probability, score, share


@dataclass(frozen=True, slots=True)
class Unit:
    """`write` turns a number into words, `meaning` explains the unit in the help.

    `tick` and `hover` are the formats of an axis and of a value beside the pointer. `step` is the
    distance between two lines of the full axis (None: Plotly chooses), which goes from `floor` to
    the result of `ceiling` for the largest value. A `logarithmic` axis has lines at the powers of
    ten, and goes lower if a value does.
    """

    write: Callable[[float | None], str]
    meaning: str
    tick: str
    hover: str
    step: float | None
    ceiling: Callable[[float], float]
    floor: float = 0.0
    logarithmic: bool = False


def _one(largest: float) -> float:
    return 1.0


def _even(largest: float) -> float:
    """The next even number above, at least 4."""
    return max(4.0, 2.0 * math.ceil((largest + 0.01) / 2))


def _beyond_any(largest: float) -> float:
    """A tenth above, rounded to two figures."""
    if largest <= 0:
        return 1.0
    unit = 10.0 ** (math.floor(math.log10(1.1 * largest)) - 1)
    return unit * math.ceil(1.1 * largest / unit)


def _beyond(largest: float) -> float:
    """A tenth above, rounded to two figures, at least 10."""
    return max(10.0, _beyond_any(largest))


def _figures(value: float | None) -> str:
    """A number with three figures."""
    return NOTHING if value is None else f"{value:.3g}"


def _number(value: float | None) -> str:
    """A count; a mean of counts with one decimal."""
    return f"{value:,.1f}" if isinstance(value, float) and not value.is_integer() else count(value)


UNITS: Mapping[str, Unit] = {
    "share": Unit(share, "a share, shown in per cent", ".0%", ".1%", 0.25, _one),
    "score": Unit(score, "a score from 0 to 1", ".2f", ".2f", 0.25, _one),
    "count": Unit(_number, "a count", ",d", ",.1~f", None, _beyond),
    "log": Unit(score, "a natural logarithm, ln(1 + in-links)", ".0f", ".2f", 1, _even),
    "correlation": Unit(score, "a correlation from −1 to 1", ".1f", ".2f", 0.5, _one, floor=-1.0),
    "number": Unit(_figures, "a number", "~g", ".3~g", None, _beyond_any),
    "probability": Unit(
        probability,
        "a p-value, on a logarithmic axis",
        "",
        ".2~g",
        None,
        _one,
        floor=1e-4,
        logarithmic=True,
    ),
}


def precise(value: float | None, unit: str) -> str:
    """A mean in words: of shares with one decimal, since it is compared."""
    if value is None or unit != "share":
        return UNITS[unit].write(value)
    return f"{100 * value:.1f}{THIN}%"
