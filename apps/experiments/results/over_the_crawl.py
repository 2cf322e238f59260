"""When a difference shows: p over the crawl (LC Fig. 7, 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from apps.engine.evaluation.significance import Tail, holm, p_values_over_time, wilcoxon_p
from apps.engine.model import Floats
from apps.experiments.results.choice import ComparisonPlan
from apps.experiments.results.outcomes import Outcomes
from apps.experiments.results.paired_tests import ENOUGH_TOPICS, LEVEL, Method


@dataclass(frozen=True, slots=True)
class PCourse:
    """A crawler against the baseline over the crawl.

    `raw` and `p`, after Holm over all crawlers, have a value for each page of the grid, NaN where
    no test can be made. From page `for_good_from` on p stays below 0.05 to the end, always for the
    same direction; None if it does not.
    """

    index: int
    label: str
    raw: Floats
    p: Floats
    for_good_from: int | None


def p_over_the_crawl(outcomes: Outcomes, choice: ComparisonPlan) -> tuple[PCourse, ...]:
    """One for each crawler but the baseline; none before the last cell has ended or with fewer than
    six topics. The moment of the choice does not matter."""
    if not outcomes.ended or len(outcomes.topics) < ENOUGH_TOPICS:
        return ()
    curves = outcomes.curves(choice.measure.id)
    base = curves[:, choice.baseline]
    indices = [index for index in range(len(outcomes.crawlers)) if index != choice.baseline]
    raw = np.array([_p_values(curves[:, index], base, choice) for index in indices])
    if not np.isfinite(raw).any():
        return ()
    corrected = _corrected(raw)
    return tuple(
        PCourse(
            index,
            outcomes.crawlers[index].label,
            raw[row],
            corrected[row],
            _for_good(corrected[row], _signs(curves[:, index], base), outcomes.grid.tolist()),
        )
        for row, index in enumerate(indices)
    )


def _p_values(ours: Floats, theirs: Floats, choice: ComparisonPlan) -> Floats:
    """p at each page of the grid; NaN with fewer than six pairs."""
    if choice.test is Method.WILCOXON:
        results = _signed_ranks(ours, theirs)
    else:
        better: Tail = "less" if choice.measure.less_is_better else "greater"
        tail: Tail = "two" if choice.test is Method.TWO_TAILED else better
        results = p_values_over_time(ours, theirs, tail)
    p_values = np.array([np.nan if p is None else p for p in results], np.float64)
    pairs = np.isfinite(ours - theirs).sum(axis=0)
    return np.where(pairs >= ENOUGH_TOPICS, p_values, np.nan)


def _signed_ranks(ours: Floats, theirs: Floats) -> list[float | None]:
    p_values: list[float | None] = []
    for one, other in zip(ours.T, theirs.T, strict=True):
        paired = np.isfinite(one - other)
        p_values.append(wilcoxon_p(one[paired].tolist(), other[paired].tolist()))
    return p_values


def _corrected(raw: Floats) -> Floats:
    """After Holm over the crawlers (rows) at each page of the grid (columns)."""
    corrected = np.full(raw.shape, np.nan)
    for column in range(raw.shape[1]):
        defined = np.isfinite(raw[:, column])
        corrected[defined, column] = holm(raw[defined, column].tolist())
    return corrected


def _signs(ours: Floats, theirs: Floats) -> Floats:
    """The sign of the mean difference at each page of the grid; 0 where it is undefined."""
    signs: Floats = np.sign(np.nansum(ours - theirs, axis=0))
    return signs


def _for_good(p_values: Floats, signs: Floats, grid: Sequence[int]) -> int | None:
    shown = (p_values < LEVEL) & (signs == signs[-1])
    if not shown[-1]:
        return None
    doubts = np.flatnonzero(~shown)
    return grid[doubts[-1] + 1 if len(doubts) else 0]
