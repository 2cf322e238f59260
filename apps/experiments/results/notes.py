"""The notes under the table of results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from apps.experiments.models import Experiment
from apps.experiments.results.choice import ComparisonPlan, after_start
from apps.experiments.results.outcomes import Outcomes
from apps.experiments.results.paired_tests import Method, Test
from apps.experiments.results.standing import Standing, made_tests
from apps.figures.quantities import count, join_names, number_of, p_value

CHOSEN = {"measure": "measure", "at": "number of pages", "baseline": "baseline", "test": "test"}
Span = tuple[float, float]
_ACCUMULATED = "What they had reached by then counts."
_AT_EQUAL_PAGES = (
    "Each topic is compared with the baseline at equal pages, those of the shorter crawl; a "
    "crawler’s own mean takes such a crawl at its end."
)


def notes(
    outcomes: Outcomes, choice: ComparisonPlan, standings: Sequence[Standing]
) -> tuple[str, ...]:
    """Notes on choices made after the start, on missing data, and on conclusions that depend on the
    method."""
    return tuple(_notes(outcomes, choice, standings))


def _notes(
    outcomes: Outcomes, choice: ComparisonPlan, standings: Sequence[Standing]
) -> Iterator[str]:
    if later := after_start(outcomes, choice):
        was = "was" if len(later) == 1 else "were"
        yield (
            f"The {join_names([CHOSEN[name] for name in later])} {was} chosen after the start: "
            "p-values are too small if a choice follows a look at the results."
        )
    if (
        outcomes.experiment.state == Experiment.State.STOPPED
        and outcomes.finished < outcomes.planned_cells
    ):
        yield (
            f"Stopped with {count(outcomes.finished)} of"
            f" {number_of(outcomes.planned_cells, 'cell')}: "
            "if the results were a reason to stop, p-values are too small."
        )
    yield from _missing(outcomes, standings)
    yield from _short_crawls(outcomes, choice)
    tests = made_tests(standings)
    if tests:
        yield _other_method(tests)
        yield from _bootstrap(tests)


def _missing(outcomes: Outcomes, standings: Sequence[Standing]) -> Iterator[str]:
    topics = len(outcomes.topics)
    by_number: dict[int, list[str]] = {}
    for each in standings:
        if each.test and each.test.topics < topics:
            by_number.setdefault(each.test.topics, []).append(each.label)
    for number, labels in sorted(by_number.items()):
        yield (
            f"{join_names(labels)}: paired over {count(number)} of {number_of(topics, 'topic')}, "
            "where both crawlers have a value."
        )
    repetitions = outcomes.design.repetitions
    fewer = sum(len(cells) < repetitions for cells in outcomes.cells.values())
    if outcomes.ended and fewer:
        yield (
            f"Of {count(repetitions)} repetitions some are missing for {count(fewer)} pairs of "
            "topic and crawler; the mean is over those that have finished."
        )


def _short_crawls(outcomes: Outcomes, choice: ComparisonPlan) -> Iterator[str]:
    """How many crawls had ended before the moment, how they are compared, and what each crawler
    fetched in all; each crawl has a sample at its end."""
    moment = choice.at or choice.pages
    short: Mapping[str, int] = {
        crawler.label: number
        for index, crawler in enumerate(outcomes.crawlers)
        if (
            number := sum(
                int(outcome.samples.at.max(initial=0)) < moment
                for outcome in outcomes.of_crawler(index)
            )
        )
    }
    if short:
        numbers = [f"{label} {count(number)}" for label, number in short.items()]
        crawls = number_of(sum(short.values()), "crawl")
        yield (
            f"{crawls} ended before page {count(moment)}: {join_names(numbers)}. "
            f"{_ACCUMULATED if choice.measure.accumulates else _AT_EQUAL_PAGES}"
        )
        yield f"Pages fetched in all: {join_names(_pages_fetched(outcomes))}."


def _pages_fetched(outcomes: Outcomes) -> list[str]:
    return [
        f"{crawler.label} {count(sum(each.cell.pages for each in outcomes.of_crawler(index)))}"
        for index, crawler in enumerate(outcomes.crawlers)
    ]


def _other_method(tests: Sequence[Test]) -> str:
    """Whether another kind of test gives the same verdicts: Wilcoxon's, or for that the t-test."""
    other = Method.TWO_TAILED if tests[0].method is Method.WILCOXON else Method.WILCOXON
    name = "The paired t-test" if other is Method.TWO_TAILED else "Wilcoxon’s test"
    differing = [
        test
        for test in tests
        if test.shown_by(other) is not test.shown_by(_two_tailed(test.method))
    ]
    if not differing:
        return f"{name} gives the same verdicts."
    verdicts = [
        f"{test.crawler} ({p_value(test.p_of(other).holm)} after Holm, "
        f"{'shown' if test.shown_by(other) else 'not shown'})"
        for test in differing
    ]
    return f"{name} gives another verdict for {join_names(verdicts)}."


def _two_tailed(method: Method) -> Method:
    """A one-tailed test answers another question than Wilcoxon's, the two-tailed one the same."""
    return Method.TWO_TAILED if method is Method.ONE_TAILED else method


def _bootstrap(tests: Sequence[Test]) -> Iterator[str]:
    differing = [
        test.crawler
        for test in tests
        if test.interval
        and test.bootstrap
        and _holds_zero(test.interval) is not _holds_zero(test.bootstrap)
    ]
    if differing:
        yield (
            f"Whether the interval includes 0 depends on the method for {join_names(differing)}: "
            "the bootstrap and Student’s t disagree."
        )


def _holds_zero(interval: Span) -> bool:
    return interval[0] <= 0 <= interval[1]
