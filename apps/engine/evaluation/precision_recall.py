"""Precision and recall of a crawl over time (HCLA §5.1, eq. 21–23)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from apps.engine.model import Floats, Longs

LEVELS = (0.1, 0.5, 1.0)
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class PrecisionRecallCurve:
    """Precision and recall after each page, in order of fetching; shares from 0 to 1."""

    precision: Floats
    recall: Floats


@dataclass(frozen=True, slots=True)
class Level:
    """A crawl at one level of recall.

    `precision` is that at which the level is reached, `interpolated` the highest from there on.
    **Choice** (HCLA does not say): for a level never reached (`reached` is False) both are the
    final precision.
    """

    recall: float
    precision: float
    interpolated: float
    reached: bool

    @property
    def f1(self) -> float:
        """2PR / (P + R) of the precision and the level (HCLA eq. 23).

        **Erratum** (HCLA Table 3): three printed values at R = .1 do not follow from the
        precisions.
        """
        return f1(self.precision, self.recall)


def f1(precision: float, recall: float) -> float:
    """The harmonic mean of precision and recall; 0 if both are 0."""
    both = precision + recall
    return 2 * precision * recall / both if both else 0.0


def precision_recall_curve(relevant: Sequence[bool], total: int) -> PrecisionRecallCurve:
    """The curve of a crawl, given the relevance of its pages and the `total` of relevant ones.

    Raises ValueError if `total` is 0.
    """
    _require(total)
    fetched = _cumulated(relevant)
    return PrecisionRecallCurve(fetched / np.arange(1, len(fetched) + 1), fetched / total)


def at_levels(
    relevant: Sequence[bool], total: int, levels: Sequence[float] = LEVELS
) -> tuple[Level, ...]:
    """The crawl at each level of recall, of `total` relevant pages (HCLA Table 3).

    Raises ValueError if `total` is 0 or there are no pages.
    """
    _require(total)
    fetched = _cumulated(relevant)
    if not len(fetched):
        raise ValueError("a crawl without pages has no precision")
    precision = fetched / np.arange(1, len(fetched) + 1)
    highest = np.maximum.accumulate(precision[::-1])[::-1]
    return tuple(_at(level, total, fetched, precision, highest) for level in levels)


def _at(level: float, total: int, fetched: Longs, precision: Floats, highest: Floats) -> Level:
    needed = max(1, math.ceil(level * total - _ROUNDING))
    index = int(np.searchsorted(fetched, needed))
    reached = index < len(fetched)
    index = min(index, len(fetched) - 1)
    return Level(level, float(precision[index]), float(highest[index]), reached)


def _cumulated(relevant: Sequence[bool]) -> Longs:
    fetched: Longs = np.cumsum(np.asarray(relevant, np.bool_), dtype=np.int64)
    return fetched


def _require(total: int) -> None:
    if total < 1:
        raise ValueError("recall needs at least one relevant page")
