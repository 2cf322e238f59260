"""The results of tests in plain words, no stronger than the data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.engine.evaluation.estimated_recall import EstimatedRecall
from apps.engine.evaluation.measure import Measure, Witness
from apps.experiments.results.changes import change, changes, interval, relative
from apps.experiments.results.paired_tests import Method, Test
from apps.figures.quantities import count, join_names, number_of, p_value

BY = {Witness.JUDGE: "by their judge", Witness.LABELS: "by the web’s labels"}
MOST_NAMES = 5
_TAILS = {Method.TWO_TAILED: "", Method.ONE_TAILED: ", one-tailed", Method.WILCOXON: ", Wilcoxon"}


@dataclass(frozen=True, slots=True)
class SentencePart:
    """A part of a sentence, `strong` for emphasis."""

    text: str
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Conclusion:
    """`main` names the best, `more` compares the others, `cannot` is what may not be
    concluded; each may be empty."""

    main: tuple[SentencePart, ...]
    more: str = ""
    cannot: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The main sentence as plain text."""
        return "".join(words.text for words in self.main)


def of_tests(tests: Sequence[Test], when: str) -> Conclusion:
    """The crawlers compared with one baseline by one measure, the one furthest ahead first.

    `when` is the moment, such as `at 500 pages`. There is at least one test.
    """
    better = [test for test in tests if test.shown and test.gain > 0]
    first = max(better or tests, key=lambda test: (test.tested, test.gain))
    rest = [test for test in tests if test is not first]
    if first.shown:
        return Conclusion(_describe_difference(first, when), _others(rest))
    if not rest:
        return Conclusion(_not_shown(first, when))
    return Conclusion(_none_better(first, when), _others(rest))


def _describe_difference(test: Test, when: str) -> tuple[SentencePart, ...]:
    topics = f"better on {count(test.better)}" if test.gain > 0 else f"worse on {count(test.worse)}"
    doubts = _joined(_interval(test), p_words(test))
    rest = f" ({doubts}), {topics} of {count(test.topics)} topics."
    name, size = SentencePart(test.crawler, True), SentencePart(change(test), True)
    if relative(test):
        than = f" {test.measure.things} than {test.baseline} {_moment(test, when)}"
        return name, SentencePart(" found "), size, SentencePart(than + rest)
    return (
        SentencePart(f"{test.measure.title}: "),
        name,
        SentencePart(" is "),
        size,
        SentencePart(f" than {test.baseline} {_moment(test, when)}{rest}"),
    )


def _not_shown(test: Test, when: str) -> tuple[SentencePart, ...]:
    moment = _moment(test, when)
    if test.method is Method.ONE_TAILED:
        return (
            SentencePart(test.crawler, True),
            SentencePart(" is not shown to be better", True),
            SentencePart(f" than {test.baseline} {moment}: {_describe_mean(test)}."),
        )
    return (
        SentencePart("No difference", True),
        SentencePart(" between "),
        SentencePart(test.crawler, True),
        SentencePart(
            f" and {test.baseline} is shown {moment}, which is not “equal”: {_describe_mean(test)}."
        ),
    )


def _none_better(test: Test, when: str) -> tuple[SentencePart, ...]:
    """If none of several crawlers is shown to be better; the test is that of the best mean."""
    rank = "is furthest ahead" if test.gain > 0 else "comes closest"
    return (
        SentencePart("No crawler", True),
        SentencePart(f" is shown to be better than {test.baseline} {_moment(test, when)}. "),
        SentencePart(test.crawler, True),
        SentencePart(f" {rank}: {_describe_mean(test)}."),
    )


def _describe_mean(test: Test) -> str:
    """`6.2 % more of the targets over 20 topics (−1.0 to +13 %, …)`: a difference that is not
    shown."""
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
    clauses = [f"{_crawlers(group)} {_verb(group)} {changes(group)}" for group in groups if group]
    if clauses:
        yield f"{', '.join(clauses)}."
    if rest := [test for test in tests if not test.shown]:
        yield _not_shown_of(rest)


def _not_shown_of(tests: Sequence[Test]) -> str:
    baseline = tests[0].baseline
    if tests[0].method is Method.ONE_TAILED:
        are = "is" if len(tests) == 1 else "are"
        return f"{_crawlers(tests)} {are} not shown to be better than {baseline}."
    return f"For {_crawlers(tests)} no difference from {baseline} is shown, which is not “equal”."


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
    return join_names(every)


def _moment(test: Test, when: str) -> str:
    """The moment, how many topics are read before it, and the judge if there is one."""
    by = judge_words(test.measure)
    moment = f"{when}{_read_earlier(test)}"
    return f"{moment}, {by}" if by else moment


def judge_words(measure: type[Measure]) -> str:
    """`by their judge`; empty if nobody judges, or if the title names it already."""
    return "" if "labels" in measure.title else BY.get(measure.witness, "")


def _read_earlier(test: Test) -> str:
    """` (3 of 8 topics at fewer, equal pages, where a crawl had ended)`; empty if none is. An
    estimate may also have become too vague."""
    if not test.earlier:
        return ""
    topics = f"{count(test.earlier)} of {number_of(test.topics, 'topic')}"
    is_estimate = test.measure is EstimatedRecall
    why = "the last with an estimate" if is_estimate else "where a crawl had ended"
    return f" ({topics} at fewer, equal pages, {why})"


def _interval(test: Test) -> str:
    limits = interval(test)
    return f"{limits}, 95 % interval" if limits else ""


def p_words(test: Test) -> str:
    """`p = 0.004 after Holm`."""
    if not test.tested:
        return "no test"
    return f"{p_value(test.holm)} after Holm{_TAILS[test.method]}"


def _joined(*parts: str) -> str:
    return "; ".join(filter(None, parts))
