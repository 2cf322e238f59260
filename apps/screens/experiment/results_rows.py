"""The tables of the results, in words and as positions on a line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from apps.engine.errors import UnknownStrategy
from apps.engine.evaluation.measure import Measure
from apps.engine.evaluation.significance import Estimate
from apps.engine.intelligence.strategies import strategy
from apps.experiments.results.answer import ComparisonAnswer
from apps.experiments.results.by_topic import TopicDifference
from apps.experiments.results.changes import difference
from apps.experiments.results.groups import Grouping
from apps.experiments.results.paired_tests import Test
from apps.experiments.results.sentences import SentencePart
from apps.experiments.results.standing import Standing
from apps.figures.marks import Mark
from apps.figures.quantities import NOTHING, number_of, probability, score
from apps.figures.units import UNITS, precise

REACH = 48.0


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval on a line from 0 to 100, its nought in the middle."""

    low: float
    middle: float
    high: float


@dataclass(frozen=True, slots=True)
class StrategyLine:
    """A crawler of the results. `few` says over how many topics its mean is, where not over all;
    `better` is the share of topics on which it is better, `worse` on which it is worse, in per
    cent."""

    index: int
    label: str
    paper: str
    mark: Mark
    is_baseline: bool
    value: str
    error: str
    few: str
    area: str
    difference: str
    interval: Interval | None
    interval_words: str
    p: str
    effect: str
    score: str
    better: float
    worse: float
    words: Sequence[SentencePart]
    cost: str
    draws: str


@dataclass(frozen=True, slots=True)
class TopicLine:
    """A topic: the difference in words, and where its dot stands from 0 to 100."""

    topic: int
    name: str
    difference: str
    values: str
    dot: float
    link: str


@dataclass(frozen=True, slots=True)
class TopicScale:
    """The scale of differences from `low` to `high`, with where each tick stands and its words."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]

    def at(self, value: float) -> float:
        """Where a difference stands, from 0 to 100."""
        return round(100 * (value - self.low) / (self.high - self.low), 1)


@dataclass(frozen=True, slots=True)
class DomainLine:
    """A group of topics: means of the baseline and of one crawler, and their difference."""

    name: str
    topics: int
    base: str
    value: str
    difference: str
    error: str


def strategy_lines(
    ranking: ComparisonAnswer, marks: Sequence[Mark], draws: Sequence[str]
) -> list[StrategyLine]:
    """A line for each crawler in its order; intervals on one scale. `draws` are the addresses that
    put each of them in colour or take it out."""
    ends = [abs(end) for row in ranking.rows if row.test for end in (row.test.interval or ())]
    reach = max(ends, default=0.0) or 1.0
    return [_line(row, ranking, marks[row.index], draws[row.index], reach) for row in ranking.rows]


def scale_words(ranking: ComparisonAnswer) -> str:
    """The end of the intervals' line, in words."""
    ends = [abs(end) for row in ranking.rows if row.test for end in (row.test.interval or ())]
    return difference(ranking.choice.measure, max(ends)).lstrip("+") if ends else ""


def _line(
    row: Standing, ranking: ComparisonAnswer, mark: Mark, draws: str, reach: float
) -> StrategyLine:
    measure, test = ranking.choice.measure, row.test
    write = UNITS[measure.unit].write
    all_of = (test.topics or 1) if test else 1
    return StrategyLine(
        index=row.index,
        label=row.label,
        paper=_paper(row.strategy),
        mark=mark,
        is_baseline=row.index == ranking.choice.baseline,
        value=precise(row.value.mean, measure.unit),
        error=error_words(row.value, measure),
        few=number_of(row.value.n, "topic") if row.value.n < ranking.topics else "",
        area=write(row.area.mean),
        difference=difference(measure, test.difference) if test else "",
        interval=_interval(test, reach),
        interval_words=interval_words(test),
        p=probability(test.holm) if test and test.tested else NOTHING,
        effect=difference_of_effect(test),
        score=f"{test.better}–{test.worse}" if test else "",
        better=100 * test.better / all_of if test else 0.0,
        worse=100 * test.worse / all_of if test else 0.0,
        words=row.words,
        cost=NOTHING if row.milliseconds is None else f"{row.milliseconds:.1f}",
        draws=draws,
    )


def _paper(id: str) -> str:
    try:
        return strategy(id).paper
    except UnknownStrategy:
        return ""


def error_words(estimate: Estimate, measure: type[Measure]) -> str:
    """`± 1.9`: a standard error, of shares in percentage points."""
    if estimate.error is None:
        return ""
    if measure.unit == "share":
        return f"± {100 * estimate.error:.1f}"
    return f"± {estimate.error:.1f}" if measure.unit == "count" else f"± {estimate.error:.2f}"


def _interval(test: Test | None, reach: float) -> Interval | None:
    if test is None or test.interval is None:
        return None
    return Interval(
        *(
            round(50 + REACH * end / reach, 1)
            for end in (test.interval[0], test.difference, test.interval[1])
        )
    )


def interval_words(test: Test | None) -> str:
    """`+7.1 to +11.2`, for those who hear the table."""
    if test is None or test.interval is None:
        return ""
    low, high = (difference(test.measure, end) for end in test.interval)
    return f"{low} to {high}"


def difference_of_effect(test: Test | None) -> str:
    """`+2.4`: Cohen's d with its sign."""
    if test is None or test.effect is None:
        return NOTHING
    sign = "+" if test.effect > 0 else "−" if test.effect < 0 else ""
    return f"{sign}{score(abs(test.effect))}"


def topic_scale(rows: Sequence[TopicDifference], measure: type[Measure]) -> TopicScale:
    """A scale of all differences that holds 0 and ends at round numbers."""
    low = min([0.0, *(row.difference for row in rows)])
    high = max([0.0, *(row.difference for row in rows)])
    step = _round_step((high - low) or 1.0)
    first, last = math.floor(low / step), max(math.ceil(high / step), math.floor(low / step) + 1)
    scale = TopicScale(first * step, last * step, ())
    return replace(
        scale,
        ticks=tuple(
            (scale.at(n * step), difference(measure, n * step).removesuffix(".0"))
            for n in range(first, last + 1)
        ),
    )


def _round_step(width: float) -> float:
    """1, 2 or 5 times a power of ten, such that the width has three to six steps."""
    power = 10.0 ** math.floor(math.log10(width / 3))
    return max(power * each for each in (1, 2, 5) if power * each <= width / 3)


def topic_lines(
    rows: Sequence[TopicDifference],
    measure: type[Measure],
    scale: TopicScale,
    links: Mapping[int, str],
) -> list[TopicLine]:
    """A line for each topic; `links` lead from each to more."""
    return [
        TopicLine(
            row.topic,
            row.name,
            difference(measure, row.difference),
            f"{precise(row.value, measure.unit)} against {precise(row.base, measure.unit)}",
            scale.at(row.difference),
            links[row.topic],
        )
        for row in rows
    ]


def domain_lines(
    domains: Grouping, measure: type[Measure], baseline: int, index: int
) -> Iterator[DomainLine]:
    """A line for each group of topics."""
    for group in domains.groups:
        change = group.differences[index]
        yield DomainLine(
            group.name,
            len(group.topics),
            precise(group.values[baseline].mean, measure.unit),
            precise(group.values[index].mean, measure.unit),
            difference(measure, change.mean) if change else NOTHING,
            error_words(change, measure) if change else "",
        )
