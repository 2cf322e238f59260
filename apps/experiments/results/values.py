"""The values of a measure by topic and crawler, at equal pages: at a moment, or as area."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from apps.engine.evaluation.significance import Estimate, estimate
from apps.engine.model import Floats, Longs
from apps.experiments.cells.result import finite
from apps.experiments.results.outcomes import Outcomes


@dataclass(frozen=True, slots=True)
class MeasureTable:
    """A measure, topics × crawlers, the mean over repetitions; NaN where it is undefined.

    `earlier` is, for each topic, whether it is read before the moment, because a crawl had ended or
    its estimate is too vague.
    """

    table: Floats
    earlier: np.ndarray

    def column(self, index: int) -> Floats:
        column: Floats = self.table[:, index]
        return column


def values_of(
    outcomes: Outcomes, measure: str, at: int | None, crawlers: Sequence[int] | None = None
) -> MeasureTable:
    """The values of these crawlers, or of all, after `at` pages, or as area if that is None.

    The crawlers of a topic are read at the same number of pages: the last one up to `at` at which
    each of them has a value. What accumulates keeps its value after a crawl's end, so that it is
    read at `at`. A crawler without any value in a topic does not count there and has NaN.
    """
    columns = slice(None) if crawlers is None else [*crawlers]
    return values_at(outcomes.curves(measure)[:, columns], outcomes.grid, at)


def values_at(curves: Floats, grid: Longs, at: int | None) -> MeasureTable:
    """The values of curves at each number of pages in `grid`: topics × crawlers × `grid`."""
    read = _readable(curves)
    if at is not None:
        read = read & (grid <= at)
    moment = len(grid) - 1 if at is None else int(np.searchsorted(grid, at, side="right")) - 1
    last = np.where(read.any(axis=1), len(grid) - 1 - np.argmax(read[:, ::-1], axis=1), moment)
    if at is None:
        table = _means(curves, read)
    else:
        at_last = np.take_along_axis(curves, np.maximum(last, 0)[:, None, None], axis=2)[:, :, 0]
        table = np.where(np.asarray(read.any(axis=1))[:, None], at_last, np.nan)
    return MeasureTable(table, last < moment)


def table(
    outcomes: Outcomes, measure: str, at: int | None, crawlers: Sequence[int] | None = None
) -> Floats:
    """The table of `values_of`."""
    return values_of(outcomes, measure, at, crawlers).table


def _readable(curves: Floats) -> np.ndarray:
    """The samples at which every crawler of the topic has a value, topics × grid."""
    finite = np.isfinite(curves)
    has = np.asarray(finite.any(axis=2))
    shared = np.asarray((finite | ~has[:, :, None]).all(axis=1))
    readable: np.ndarray = shared & np.asarray(has.any(axis=1))[:, None]
    return readable


def _means(curves: Floats, read: np.ndarray) -> Floats:
    """The mean heights over the samples that are `read`, topics × crawlers."""
    heights = np.ma.masked_array(curves, ~(np.isfinite(curves) & read[:, None, :])).mean(axis=2)
    means: Floats = np.ma.filled(heights, np.nan)
    return means


def over_topics(column: Floats) -> Estimate:
    """The mean over the topics with a value, and its standard error."""
    return estimate(finite(column).tolist())
