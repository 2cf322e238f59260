"""What tests show, in plain words no stronger than the data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.engine.evaluation.measure import Measure, Witness
from apps.experiments.changes import change, changes, interval, relative
from apps.experiments.paired_tests import Method, Test
from apps.figures.quantities import count, listed, p_value

BY = {Witness.JUDGE: "by their judge", Witness.LABELS: "by the web’s labels"}
MOST_NAMES = 5
_TAILS = {Method.TWO_TAILED: "", Method.ONE_TAILED: ", one-tailed", Method.WILCOXON: ", Wilcoxon"}


@dataclass(frozen=True, slots=True)
class Words:
    """A part of a sentence, `strong` for emphasis."""

    text: str
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """`main` says which did best, `more` compares the others, `cannot` says what may not be
    concluded; each may be empty."""

    main: tuple[Words, ...]
    more: str = ""
    cannot: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The main sentence as plain text."""
        return "".join(words.text for words in self.main)


def of_tests(tests: Sequence[Test], when: str) -> Verdict:
    """The crawlers compared with one baseline by one measure, the one furthest ahead first.

    `when` is the moment, such as `at 500 pages`. There is at least one test.
    """
    better = [test for test in tests if test.shown and test.gain > 0]
    first = max(better or tests, key=lambda test: (test.tested, test.gain))
    rest = [test for test in tests if test is not first]
    if first.shown:
        return Verdict(_shown(first, when), _others(rest))
    if not rest:
        return Verdict(_not_shown(first, when))
    return Verdict(_none_better(first, when), _others(rest))


def _shown(test: Test, when: str) -> tuple[Words, ...]:
    topics = (f"better on {count(test.better)}" if test.gain > 0
              else f"worse on {count(test.worse)}")
    doubts = _joined(_interval(test), p_words(test))
    rest = f" ({doubts}), {topics} of {count(test.topics)} topics."
    name, size = Words(test.crawler, True), Words(change(test), True)
    if relative(test):
        than = f" {test.measure.things} than {test.baseline} {_moment(test.measure, when)}"
        return name, Words(" found "), size, Words(than + rest)
    return (Words(f"{test.measure.title}: "), name, Words(" is "), size,
            Words(f" than {test.baseline} {when}{rest}"))


def _not_shown(test: Test, when: str) -> tuple[Words, ...]:
    moment = _moment(test.measure, when)
    if test.method is Method.ONE_TAILED:
        return (Words(test.crawler, True), Words(" is not shown to be better", True),
                Words(f" than {test.baseline} {moment}: {_seen(test)}."))
    return (
        Words("No difference", True), Words(" between "), Words(test.crawler, True),
        Words(f" and {test.baseline} is shown {moment}, which is not “equal”: {_seen(test)}."),
    )


def _none_better(test: Test, when: str) -> tuple[Words, ...]:
    """If none of several crawlers is shown to be better; the test is that of the best mean."""
    place = "is furthest ahead" if test.gain > 0 else "comes closest"
    return (
        Words("No crawler", True),
        Words(f" is shown to be better than {test.baseline} {_moment(test.measure, when)}. "),
        Words(test.crawler, True), Words(f" {place}: {_seen(test)}."),
    )


def _seen(test: Test) -> str:
    """`6.2 % more targets over 20 topics (−1.0 to +13 %, …)`, of a difference that is not shown."""
    things = f" {test.measure.things}" if relative(test) else ""
    needed = f"about {count(test.needed)} topics would be needed" if test.needed else ""
    doubts = _joined(_interval(test), p_words(test), needed)
    return f"{change(test)}{things} over {count(test.topics)} topics ({doubts})"


def _others(tests: Sequence[Test]) -> str:
    """The other crawlers, those that did alike together."""
    return " ".join(_other_sentences(tests))


def _other_sentences(tests: Sequence[Test]) -> Iterator[str]:
    shown = [test for test in tests if test.shown]
    groups = [[test for test in shown if (test.difference > 0) is more] for more in (True, False)]
    said = [f"{_crawlers(group)} {_verb(group)} {changes(group)}" for group in groups if group]
    if said:
        yield f"{', '.join(said)}."
    if rest := [test for test in tests if not test.shown]:
        yield _not_shown_of(rest)


def _not_shown_of(tests: Sequence[Test]) -> str:
    baseline = tests[0].baseline
    if tests[0].method is Method.ONE_TAILED:
        are = "is" if len(tests) == 1 else "are"
        return f"{_crawlers(tests)} {are} not shown to be better than {baseline}."
    return (f"For {_crawlers(tests)} no difference from {baseline} is shown, which is not “equal”.")


def _verb(tests: Sequence[Test]) -> str:
    if relative(tests[0]):
        return "found"
    return "is" if len(tests) == 1 else "are"


def _crawlers(tests: Sequence[Test]) -> str:
    return names([test.crawler for test in tests])


def names(crawlers: Sequence[str]) -> str:
    """The crawlers' names, only the first ones of many."""
    every = [*crawlers]
    if len(every) > MOST_NAMES:
        every = [*every[: MOST_NAMES - 1], f"{len(every) - MOST_NAMES + 1} others"]
    return listed(every)


def _moment(measure: type[Measure], when: str) -> str:
    """The moment, and who says so if it is a judge."""
    by = BY.get(measure.witness)
    return f"{when}, {by}" if by else when


def _interval(test: Test) -> str:
    found = interval(test)
    return f"{found}, 95 % interval" if found else ""


def p_words(test: Test) -> str:
    """`p = 0.004 after Holm`."""
    if not test.tested:
        return "no test"
    return f"{p_value(test.holm)} after Holm{_TAILS[test.method]}"


def _joined(*parts: str) -> str:
    return "; ".join(filter(None, parts))
