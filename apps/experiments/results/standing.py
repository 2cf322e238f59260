"""Where each crawler stands: its means, its test against the baseline, and both in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from apps.engine.evaluation.significance import Estimate
from apps.experiments.results.changes import change, interval, relative
from apps.experiments.results.choice import ComparisonPlan
from apps.experiments.results.outcomes import Outcomes
from apps.experiments.results.paired_tests import (
    ENOUGH_TOPICS,
    LEVEL,
    Method,
    Test,
    corrected,
    paired_test,
)
from apps.experiments.results.sentences import SentencePart
from apps.experiments.results.values import over_topics, table, values_of
from apps.figures.quantities import count, number_of


@dataclass(frozen=True, slots=True)
class Standing:
    """The crawler with an index among the experiment's.

    `value` and `area` are means over the topics in which it has a value, of its own crawls: one
    that ended before the moment counts with its end. `test` compares it with
    the baseline; None for the baseline itself and without a topic in common. `milliseconds` are
    those of CPU a page, None before its first page.
    """

    index: int
    label: str
    strategy: str
    value: Estimate
    area: Estimate
    test: Test | None
    words: tuple[SentencePart, ...]
    milliseconds: float | None


def standings(outcomes: Outcomes, choice: ComparisonPlan) -> tuple[Standing, ...]:
    """One for each crawler, in their order."""
    tests = paired_tests(outcomes, choice)
    return tuple(
        _standing(outcomes, choice, index, tests.get(index))
        for index in range(len(outcomes.crawlers))
    )


def _standing(
    outcomes: Outcomes, choice: ComparisonPlan, index: int, test: Test | None
) -> Standing:
    crawler = outcomes.crawlers[index]
    words = (
        (SentencePart("baseline"),) if index == choice.baseline else in_words(test, outcomes.ended)
    )
    return Standing(
        index,
        crawler.label,
        crawler.strategy,
        mean_of(outcomes, choice, index),
        mean_of(outcomes, replace(choice, at=None), index),
        test,
        words,
        _milliseconds(outcomes, index),
    )


def mean_of(outcomes: Outcomes, choice: ComparisonPlan, index: int) -> Estimate:
    """A crawler's mean over topics, whatever the other crawlers did."""
    return over_topics(table(outcomes, choice.measure.id, choice.at, [index])[:, 0])


def _milliseconds(outcomes: Outcomes, index: int) -> float | None:
    cells = [outcome.cell for outcome in outcomes.of_crawler(index)]
    pages = sum(cell.pages for cell in cells)
    return 1000 * sum(cell.cpu_seconds for cell in cells) / pages if pages else None


def paired_tests(outcomes: Outcomes, choice: ComparisonPlan) -> Mapping[int, Test]:
    """The test of each other crawler against the baseline by its index, corrected for their number;
    the two crawls of a topic are read at equal pages.

    Before the last cell has ended, and with fewer than six topics in common, they only have means.
    A crawler without a topic in common has none.
    """
    least = ENOUGH_TOPICS if outcomes.ended else len(outcomes.topics) + 1
    made = {
        index: test_of_two(outcomes, choice, (index, choice.baseline), least)
        for index in range(len(outcomes.crawlers))
        if index != choice.baseline
    }
    tests = {index: test for index, test in made.items() if test is not None}
    return dict(zip(tests, corrected([*tests.values()]), strict=True))


def test_of_two(
    outcomes: Outcomes, choice: ComparisonPlan, two: tuple[int, int], least: int
) -> Test | None:
    """The test of the first of two crawlers against the second, before Holm."""
    values = values_of(outcomes, choice.measure.id, choice.at, two)
    first, second = (outcomes.crawlers[index].label for index in two)
    return paired_test(
        choice.measure,
        (first, second),
        values.column(0),
        values.column(1),
        least,
        choice.test,
        values.earlier,
    )


def in_words(test: Test | None, ended: bool = True) -> tuple[SentencePart, ...]:
    """`21 % more of the targets 16–26 %`, or why no difference may be stated."""
    if test is None:
        return (SentencePart("no topic in common with the baseline" if ended else "not yet"),)
    things = f" {test.measure.things}" if relative(test) else ""
    seen = f"{change(test)}{things}"
    if not ended:
        return (SentencePart(f"{seen} so far"),)
    if test.topics < ENOUGH_TOPICS:
        return (SentencePart(f"{seen} over {number_of(test.topics, 'topic')}: no test"),)
    if test.shown:
        return (SentencePart(seen, True), SentencePart(f" {interval(test)}"))
    return (SentencePart(_not_shown(test)),)


def _not_shown(test: Test) -> str:
    if not test.better and not test.worse:
        return "the same on every topic"
    if not test.tested:
        return "no test: every topic differs by the same amount"
    if test.method is Method.ONE_TAILED:
        return "not shown to be better"
    return f"no difference shown{' after Holm' if lost_by_holm(test) else ''}"


def lost_by_holm(test: Test) -> bool:
    """Whether it would show a difference if no other crawler had been compared."""
    return test.p is not None and test.p < LEVEL and not test.shown


def too_few(outcomes: Outcomes, standings: Sequence[Standing]) -> str:
    """How many topics are too few for a test, as a clause: those with a value of both crawlers
    compared, of the comparison that has most of them."""
    every = len(outcomes.topics)
    topics = max((each.test.topics for each in standings if each.test), default=every)
    if topics == every:
        return f"{number_of(every, 'topic')} {'is' if every == 1 else 'are'} too few for a test"
    has = "has" if topics == 1 else "have"
    return (
        f"At most {count(topics)} of {number_of(every, 'topic')} {has} values of both crawlers "
        "compared: too few for a test"
    )


def made_tests(standings: Sequence[Standing]) -> list[Test]:
    """The tests that have a p."""
    return [each.test for each in standings if each.test is not None and each.test.tested]
