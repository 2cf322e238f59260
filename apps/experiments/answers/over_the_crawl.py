"""When a difference shows: p over the crawl (LC Fig. 7, 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from apps.engine.evaluation.significance import holm, p_values_over_time, wilcoxon_p
from apps.engine.model import Floats
from apps.experiments.answers.choice import Choice
from apps.experiments.outcomes import Outcomes
from apps.experiments.paired_tests import ENOUGH_TOPICS, LEVEL, Method


@dataclass(frozen=True, slots=True)
class PCourse:
    """A crawler against the baseline over the crawl.

    `raw` and `p`, after Holm over all crawlers, have a value for each page of the grid, NaN where
    no test can be made. From page `for_good_from` on p stays below 0.05 to the end, always for the
    same direction; None if it does not.
    """

    place: int
    label: str
    raw: Floats
    p: Floats
    for_good_from: int | None


def p_over_the_crawl(found: Outcomes, choice: Choice) -> tuple[PCourse, ...]:
    """One for each crawler but the baseline; none before the last cell has ended or with fewer than
    six topics. The moment of the choice does not matter."""
    if not found.ended or len(found.topics) < ENOUGH_TOPICS:
        return ()
    curves = found.curves(choice.measure.id)
    base = curves[:, choice.baseline]
    places = [place for place in range(len(found.crawlers)) if place != choice.baseline]
    raw = np.array([_p_values(curves[:, place], base, choice) for place in places])
    if not np.isfinite(raw).any():
        return ()
    corrected = _corrected(raw)
    return tuple(
        PCourse(place, found.crawlers[place].label, raw[row], corrected[row],
                _for_good(corrected[row], _signs(curves[:, place], base), found.grid.tolist()))
        for row, place in enumerate(places)
    )


def _p_values(ours: Floats, theirs: Floats, choice: Choice) -> Floats:
    """p at each page of the grid; NaN with fewer than six pairs."""
    if choice.test is Method.WILCOXON:
        found = _signed_ranks(ours, theirs)
    else:
        better = "less" if choice.measure.less_is_better else "greater"
        tail = "two" if choice.test is Method.TWO_TAILED else better
        found = p_values_over_time(ours, theirs, tail)
    p_values = np.array([np.nan if p is None else p for p in found], np.float64)
    pairs = np.isfinite(ours - theirs).sum(axis=0)
    return np.where(pairs >= ENOUGH_TOPICS, p_values, np.nan)


def _signed_ranks(ours: Floats, theirs: Floats) -> list[float | None]:
    found: list[float | None] = []
    for one, other in zip(ours.T, theirs.T, strict=True):
        known = np.isfinite(one - other)
        found.append(wilcoxon_p(one[known].tolist(), other[known].tolist()))
    return found


def _corrected(raw: Floats) -> Floats:
    """After Holm over the crawlers (rows) at each page of the grid (columns)."""
    corrected = np.full(raw.shape, np.nan)
    for column in range(raw.shape[1]):
        known = np.isfinite(raw[:, column])
        corrected[known, column] = holm(raw[known, column].tolist())
    return corrected


def _signs(ours: Floats, theirs: Floats) -> Floats:
    """The sign of the mean difference at each page of the grid; 0 where none is known."""
    signs: Floats = np.sign(np.nansum(ours - theirs, axis=0))
    return signs


def _for_good(p_values: Floats, signs: Floats, grid: Sequence[int]) -> int | None:
    shown = (p_values < LEVEL) & (signs == signs[-1])
    if not shown[-1]:
        return None
    doubts = np.flatnonzero(~shown)
    return grid[doubts[-1] + 1 if len(doubts) else 0]
