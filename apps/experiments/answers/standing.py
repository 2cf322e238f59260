"""Where each crawler stands: its means, its test against the baseline, and both in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.engine.evaluation.significance import Estimate
from apps.engine.model import Floats
from apps.experiments.answers.choice import Choice
from apps.experiments.answers.values import over_topics, table
from apps.experiments.changes import change, interval, relative
from apps.experiments.outcomes import Outcomes
from apps.experiments.paired_tests import (
    ENOUGH_TOPICS,
    LEVEL,
    Method,
    Test,
    corrected,
    paired_test,
)
from apps.experiments.sentences import Words
from apps.figures.quantities import count, number_of


@dataclass(frozen=True, slots=True)
class Standing:
    """The crawler in a place of the experiment's.

    `value` and `area` are means over the topics in which it has a value. `test` compares it with
    the baseline; None for the baseline itself and without a topic in common. `milliseconds` are
    those of CPU a page, None before its first page.
    """

    place: int
    label: str
    strategy: str
    value: Estimate
    area: Estimate
    test: Test | None
    words: tuple[Words, ...]
    milliseconds: float | None


def standings(found: Outcomes, choice: Choice) -> tuple[Standing, ...]:
    """One for each crawler, in their order."""
    values = table(found, choice.measure.id, choice.at)
    areas = values if choice.at is None else table(found, choice.measure.id, None)
    tests = paired_tests(found, choice, values)
    return tuple(
        _standing(found, choice, place, tests.get(place), values, areas)
        for place in range(len(found.crawlers))
    )


def _standing(
    found: Outcomes, choice: Choice, place: int, test: Test | None, values: Floats, areas: Floats
) -> Standing:
    crawler = found.crawlers[place]
    words = (Words("baseline"),) if place == choice.baseline else in_words(test, found.ended)
    return Standing(place, crawler.label, crawler.strategy, over_topics(values[:, place]),
                    over_topics(areas[:, place]), test, words, _milliseconds(found, place))


def _milliseconds(found: Outcomes, place: int) -> float | None:
    cells = [outcome.cell for outcome in found.of_crawler(place)]
    pages = sum(cell.pages for cell in cells)
    return 1000 * sum(cell.cpu_seconds for cell in cells) / pages if pages else None


def paired_tests(found: Outcomes, choice: Choice, values: Floats) -> Mapping[int, Test]:
    """The test of each other crawler against the baseline by its place, corrected for their number.

    `values` is topics × crawlers. Before the last cell has ended, and with fewer than six topics in
    common, they only have means. A crawler without a topic in common has none.
    """
    names = [crawler.label for crawler in found.crawlers]
    least = ENOUGH_TOPICS if found.ended else len(found.topics) + 1
    made = {
        place: paired_test(choice.measure, (name, names[choice.baseline]), values[:, place],
                           values[:, choice.baseline], least, choice.test)
        for place, name in enumerate(names) if place != choice.baseline
    }
    known = {place: test for place, test in made.items() if test is not None}
    return dict(zip(known, corrected([*known.values()]), strict=True))


def in_words(test: Test | None, ended: bool = True) -> tuple[Words, ...]:
    """`21 % more targets 16–26 %`, or why no difference may be told."""
    if test is None:
        return (Words("no topic in common with the baseline" if ended else "not yet"),)
    things = f" {test.measure.things}" if relative(test) else ""
    seen = f"{change(test)}{things}"
    if not ended:
        return (Words(f"{seen} so far"),)
    if test.topics < ENOUGH_TOPICS:
        return (Words(f"{seen} over {number_of(test.topics, 'topic')}: no test"),)
    if test.shown:
        return (Words(seen, True), Words(f" {interval(test)}"))
    return (Words(_not_shown(test)),)


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


def too_few(found: Outcomes, standings: Sequence[Standing]) -> str:
    """How many topics are too few for a test, as a clause: those with a value of both crawlers
    compared, of the comparison that has most of them."""
    every = len(found.topics)
    topics = max((each.test.topics for each in standings if each.test), default=every)
    if topics == every:
        return f"{number_of(every, 'topic')} {'is' if every == 1 else 'are'} too few for a test"
    has = "has" if topics == 1 else "have"
    return (f"At most {count(topics)} of {number_of(every, 'topic')} {has} values of both crawlers "
            "compared: too few for a test")


def made_tests(standings: Sequence[Standing]) -> list[Test]:
    """The tests that have a p."""
    return [each.test for each in standings if each.test is not None and each.test.tested]
