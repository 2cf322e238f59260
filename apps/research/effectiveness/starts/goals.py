"""Goals for crawls that start from little, and what they reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, geometric_mean

from apps.figures.quantities import NOTHING
from apps.research.effectiveness.starts.result import StartResult, StartShares
from apps.research.effectiveness.starts.study import (
    BREADTH_FIRST,
    BY_VECTORS,
    BY_WORDS,
    EXAMPLES,
    STARTS,
)
from apps.research.markdown import table

LEAST = 0.01
"""The least recall of a mean: a lower one counts as this, so that a topic without a page reached
has a share."""
APART = frozenset({"webkb"})
"""Webs that are reported by themselves: their labels are types of pages, and breadth-first reaches
most of them."""

Measure = Callable[[Sequence[StartResult], str], "MeanOverTopics | None"]


@dataclass(frozen=True, slots=True)
class MeanOverTopics:
    """A figure over so many topics."""

    value: float
    topics: int


@dataclass(frozen=True, slots=True)
class Goal:
    """A measured quantity, and the least value that it should have; of intervals their width."""

    words: str
    least: float
    measure: Measure
    width: Measure | None = None


def without_apart(results: Sequence[StartResult]) -> list[StartResult]:
    """The results that are taken together."""
    return [each for each in results if each.web not in APART]


def recall_ratio(name: str, other: str) -> Measure:
    """The geometric mean, over topics, of the ratio of two crawlers' recalls."""

    def measure(results: Sequence[StartResult], start: str) -> MeanOverTopics | None:
        ratios = [
            max(ours, LEAST) / max(theirs, LEAST)
            for one, two in _both(results, start, name, other)
            for ours, theirs in zip(one.recall, two.recall, strict=True)
        ]
        return MeanOverTopics(geometric_mean(ratios), len(ratios)) if ratios else None

    return measure


def better_and_worse(
    results: Sequence[StartResult], start: str, name: str, other: str
) -> tuple[int, int]:
    """On how many topics a crawler's recall is above another's, and below it."""
    pairs = [
        pair
        for one, two in _both(results, start, name, other)
        for pair in zip(one.recall, two.recall, strict=True)
    ]
    return sum(ours > theirs for ours, theirs in pairs), sum(a < b for a, b in pairs)


def precision_ratio(name: str, other: str) -> Measure:
    """The mean precision of one crawler's list, as a share of another's."""

    def measure(results: Sequence[StartResult], start: str) -> MeanOverTopics | None:
        pairs = [
            pair
            for one, two in _both(results, start, name, other)
            for pair in zip(one.precision, two.precision, strict=True)
        ]
        theirs = fmean(b for _, b in pairs) if pairs else 0.0
        return MeanOverTopics(fmean(a for a, _ in pairs) / theirs, len(pairs)) if theirs else None

    return measure


def interval_mean(name: str) -> Measure:
    """How often the intervals hold the truth, as a mean over topics."""
    return _mean_over(name, lambda shares: shares.interval)


def width_mean(name: str) -> Measure:
    """How wide the intervals are, as a mean over topics."""
    return _mean_over(name, lambda shares: shares.width)


def _mean_over(name: str, field: Callable[[StartShares], Sequence[float]]) -> Measure:
    def measure(results: Sequence[StartResult], start: str) -> MeanOverTopics | None:
        crawlers = [each.starts.get(start, {}) for each in results]
        values = [value for each in crawlers if name in each for value in field(each[name])]
        return MeanOverTopics(fmean(values), len(values)) if values else None

    return measure


def _both(
    results: Sequence[StartResult], start: str, name: str, other: str
) -> Iterator[tuple[StartShares, StartShares]]:
    """The shares of two crawlers on each web where both were run."""
    for each in results:
        crawlers = each.starts.get(start, {})
        if name in crawlers and other in crawlers:
            yield crawlers[name], crawlers[other]


GOALS = (
    Goal("with vectors, times breadth-first", 1.6, recall_ratio(BY_VECTORS, BREADTH_FIRST)),
    Goal("with vectors, of the recall of 20 + 40", 0.88, recall_ratio(BY_VECTORS, EXAMPLES)),
    Goal("without, times breadth-first", 1.5, recall_ratio(BY_WORDS, BREADTH_FIRST)),
    Goal("without, of the recall of 20 + 40", 0.75, recall_ratio(BY_WORDS, EXAMPLES)),
    *(
        Goal(
            f"{words}, precision of the list after 40 labels, of that of 20 + 40",
            0.9,
            precision_ratio(f"{name}, 40 labels", EXAMPLES),
        )
        for words, name in (("with vectors", BY_VECTORS), ("without", BY_WORDS))
    ),
    *(
        Goal(
            f"{words}, intervals that hold the truth",
            0.85,
            interval_mean(name),
            width_mean(name),
        )
        for words, name in (
            ("with vectors", BY_VECTORS),
            ("with vectors and 40 labels", f"{BY_VECTORS}, 40 labels"),
            ("20 + 40 examples", EXAMPLES),
        )
    ),
)


def goals_table(results: Sequence[StartResult]) -> str:
    """Goals × starts: the figure, its topics, and whether it falls short."""
    together = without_apart(results)
    rows = (
        [
            goal.words,
            f"{goal.least:g}",
            *(_cell(goal, together, start) for start in STARTS),
        ]
        for goal in GOALS
    )
    return table(["goal", "at least", *(f"start {start}" for start in STARTS)], rows)


def _cell(goal: Goal, results: Sequence[StartResult], start: str) -> str:
    figure = goal.measure(results, start)
    if figure is None:
        return NOTHING
    width = goal.width(results, start) if goal.width else None
    wide = f", {width.value:.2f} wide" if width else ""
    short = "" if figure.value >= goal.least else ", **short**"
    return f"{figure.value:.2f} ({figure.topics} topics{wide}{short})"
