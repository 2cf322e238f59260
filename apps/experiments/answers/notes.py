"""What must be known to read the results: the sentences under the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from apps.experiments.answers.choice import Choice, after_start
from apps.experiments.answers.standing import Standing, made_tests
from apps.experiments.models import Experiment
from apps.experiments.outcomes import Outcomes
from apps.experiments.paired_tests import Method, Test
from apps.figures.quantities import count, listed, number_of, p_value

CHOSEN = {"measure": "measure", "at": "number of pages", "baseline": "baseline", "test": "test"}
Span = tuple[float, float]


def notes(found: Outcomes, choice: Choice, standings: Sequence[Standing]) -> tuple[str, ...]:
    """What was chosen after the start, is missing, or depends on the method."""
    return tuple(_notes(found, choice, standings))


def _notes(
    found: Outcomes, choice: Choice, standings: Sequence[Standing]
) -> Iterator[str]:
    if later := after_start(found, choice):
        was = "was" if len(later) == 1 else "were"
        yield (f"The {listed([CHOSEN[name] for name in later])} {was} chosen after the start: "
               "p-values are too small if a choice follows a look at the results.")
    if found.experiment.state == Experiment.State.STOPPED and found.finished < found.wanted:
        yield (f"Stopped with {count(found.finished)} of {number_of(found.wanted, 'cell')}: if the "
               "results were a reason to stop, p-values are too small.")
    yield from _missing(found, standings)
    yield from _short_crawls(found, choice)
    tests = made_tests(standings)
    if tests:
        yield _other_method(tests)
        yield from _bootstrap(tests)


def _missing(found: Outcomes, standings: Sequence[Standing]) -> Iterator[str]:
    topics = len(found.topics)
    by_number: dict[int, list[str]] = {}
    for each in standings:
        if each.test and each.test.topics < topics:
            by_number.setdefault(each.test.topics, []).append(each.label)
    for number, labels in sorted(by_number.items()):
        yield (f"{listed(labels)}: paired over {count(number)} of {number_of(topics, 'topic')}, "
               "where both crawlers have a value.")
    repetitions = found.design.repetitions
    fewer = sum(len(cells) < repetitions for cells in found.cells.values())
    if found.ended and fewer:
        yield (f"Of {count(repetitions)} repetitions some are missing for {count(fewer)} pairs of "
               "topic and crawler; the mean is over those that have finished.")


def _short_crawls(found: Outcomes, choice: Choice) -> Iterator[str]:
    """How many crawls had ended before the moment; each has a sample at its end."""
    moment = choice.at or choice.pages
    short: Mapping[str, int] = {
        crawler.label: number for place, crawler in enumerate(found.crawlers)
        if (number := sum(int(outcome.samples.at.max(initial=0)) < moment
                          for outcome in found.of_crawler(place)))
    }  # fmt: skip
    if short:
        said = [f"{label} {count(number)}" for label, number in short.items()]
        crawls = number_of(sum(short.values()), "crawl")
        yield (f"{crawls} ended before page {count(moment)} and keep their last value: "
               f"{listed(said)}.")


def _other_method(tests: Sequence[Test]) -> str:
    """Whether another kind of test gives the same verdicts: Wilcoxon's, or for that the t-test."""
    other = Method.TWO_TAILED if tests[0].method is Method.WILCOXON else Method.WILCOXON
    name = "The paired t-test" if other is Method.TWO_TAILED else "Wilcoxon’s test"
    differing = [test for test in tests
                 if test.shown_by(other) is not test.shown_by(_two_tailed(test.method))]
    if not differing:
        return f"{name} gives the same verdicts."
    said = [f"{test.crawler} ({p_value(test.p_of(other).holm)} after Holm, "
            f"{'shown' if test.shown_by(other) else 'not shown'})" for test in differing]
    return f"{name} gives another verdict for {listed(said)}."


def _two_tailed(method: Method) -> Method:
    """A one-tailed test answers another question than Wilcoxon's, the two-tailed one the same."""
    return Method.TWO_TAILED if method is Method.ONE_TAILED else method


def _bootstrap(tests: Sequence[Test]) -> Iterator[str]:
    differing = [test.crawler for test in tests if test.interval and test.bootstrap
                 and _holds_zero(test.interval) is not _holds_zero(test.bootstrap)]
    if differing:
        yield (f"By the bootstrap the interval of {listed(differing)} lies otherwise about 0 than "
               "by Student’s t.")


def _holds_zero(interval: Span) -> bool:
    return interval[0] <= 0 <= interval[1]
