"""The conclusion of a comparison in plain sentences, no stronger than the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.engine.evaluation.harvest_rate import HarvestRate
from apps.engine.evaluation.harvest_rate_true import HarvestRateTrue
from apps.engine.evaluation.measure import Measure
from apps.engine.evaluation.target_recall import TargetRecall
from apps.experiments.results.changes import distance
from apps.experiments.results.crawls.repeats import Repeat
from apps.experiments.results.crawls.table import MeasureValues
from apps.experiments.results.paired_tests import ENOUGH_TOPICS, Test
from apps.experiments.results.sentences import Conclusion, SentencePart, judge_words, of_tests
from apps.figures.quantities import comparison, count, join_names, number_of
from apps.figures.units import precise

# The first measure is used that all crawls have and can be compared by.
CLAIMS: tuple[type[Measure], ...] = (TargetRecall, HarvestRateTrue, HarvestRate)
SINGLE = (
    "One crawl of each carries no error bars and no p-value: another random seed or another topic "
    "may turn it round. Crawl several topics with the same strategies to test the difference."
)
FEW = (
    "With fewer than 6 topics only large differences can be shown, and Wilcoxon’s test cannot "
    "come below 0.05."
)
NO_MOMENT = Conclusion(
    (SentencePart("They cannot be compared yet: they share no number of pages."),)
)
NO_MEASURE = Conclusion(
    (
        SentencePart(
            "Shown side by side: which is better is open. No measure has a value for all of them "
            "by the same judge or targets."
        ),
    )
)
SEVERAL_TOPICS = (
    "They are of different topics: shown side by side, not tested. Crawls of the same two or more "
    "strategies on each topic are compared in pairs."
)
REPEATED = (
    "Crawls of one set-up differ by chance and by what has changed on the web: they do not show "
    "that one is better."
)


def of_one_topic(
    rows: Sequence[MeasureValues], labels: Sequence[str], common: int | None, targets: int | None
) -> Conclusion:
    """Which of the crawls of one topic was ahead at the common number of pages; `targets` is how
    many there are."""
    if common is None:
        return NO_MOMENT
    claims = {claim: values for claim in CLAIMS if (values := _values(claim, rows)) is not None}
    if targets is None:
        claims.pop(TargetRecall, None)
    if not claims:
        return NO_MEASURE
    # If no crawl has reached a target yet, harvest rates are compared instead.
    claim = next((claim for claim, values in claims.items() if any(values)), next(iter(claims)))
    if claim is TargetRecall and targets is not None:
        counts = [round(value * targets) for value in claims[claim]]
        return _by_targets(counts, labels, common, targets)
    return _by_rate(claim, claims[claim], labels, common)


def of_same_pages(crawls: int, pages: int, same_order: bool) -> Conclusion:
    """The verdict on crawls that have fetched exactly the same pages."""
    order = ", in the same order" if same_order else ", in another order"
    return Conclusion(
        (
            SentencePart(f"{_all_of(crawls)} crawls", True),
            SentencePart(" fetched exactly the "),
            SentencePart(f"same {number_of(pages, 'page')}", True),
            SentencePart(f"{order}."),
        ),
        "" if same_order else "They differ in when each page was fetched.",
    )


def of_repeat(repeat: Repeat) -> Conclusion:
    """The verdict on crawls of one set-up: how the pages of the last differ from the first's."""
    times = "twice" if repeat.times == 2 else f"{repeat.times} times"
    seed = ", but for the random seed" if repeat.other_seed else ""
    pages = [
        f"{number_of(repeat.new, 'page')} only in #{repeat.last}",
        f"{count(repeat.changed)} with changed content",
        f"{count(repeat.same)} the same",
        f"{count(repeat.gone)} gone",
        f"{count(repeat.not_reached)} only in #{repeat.first}",
    ]
    unlisted = (
        [f"{number_of(repeat.unlisted, 'page')} not indexed yet: not counted."]
        if repeat.unlisted
        else []
    )
    return Conclusion(
        (
            SentencePart("The same set-up", True),
            SentencePart(
                f" ran {times}{seed}. #{repeat.last} against #{repeat.first}: {join_names(pages)}."
            ),
        ),
        cannot=(REPEATED, *unlisted),
    )


def _all_of(crawls: int) -> str:
    return "Both" if crawls == 2 else f"All {crawls}"


def _values(claim: type[Measure], rows: Sequence[MeasureValues]) -> list[float] | None:
    """Each crawl's value at the common number of pages, or None if not all can be compared."""
    row = next((row for row in rows if row.measure is claim and row.comparable), None)
    marks = [cell.at_common if cell else None for cell in row.cells] if row else [None]
    values = [mark for mark in marks if mark is not None]
    return values if len(values) == len(marks) else None


def _by_targets(
    counts: Sequence[int], labels: Sequence[str], common: int, total: int
) -> Conclusion:
    most = max(counts)
    best = [label for label, n in zip(labels, counts, strict=True) if n == most]
    moment, of = f" at {count(common)} pages", f" of {count(total)}"
    if len(best) == len(labels):
        same = SentencePart(f" found the same number of targets{moment}: {count(most)}{of}.")
        return Conclusion(
            (SentencePart(f"{_all_of(len(labels))} crawls", True), same), cannot=(SINGLE,)
        )
    reference = 0 if counts[0] < most else _runner_up(counts)
    against = counts[reference]
    next_best = ", the next best," if reference else ""
    if against:
        change = SentencePart(comparison(most, against), True)
        rest = (
            f" targets than {labels[reference]}{next_best}{moment} "
            f"({count(most)} against {count(against)}{of})."
        )
    else:
        change = SentencePart(f"{count(most)}{of}", True)
        rest = f" targets{moment}, {labels[reference]} none."
    sentence = (
        SentencePart(join_names(best), True),
        SentencePart(" found "),
        change,
        SentencePart(rest),
    )
    others = [
        f"{label} {comparison(n, against)}"
        for index, (label, n) in enumerate(zip(labels, counts, strict=True))
        if index != reference and label not in best
    ]
    return Conclusion(sentence, _against(labels[reference], others), (SINGLE,))


def _by_rate(
    claim: type[Measure], values: Sequence[float], labels: Sequence[str], common: int
) -> Conclusion:
    """Rates at equal pages: their difference, never a number of pages."""
    written = [precise(value, claim.unit) for value in values]
    most = max(values)
    best = [
        label
        for label, words in zip(labels, written, strict=True)
        if words == precise(most, claim.unit)
    ]
    moment = f" at {count(common)} pages each"
    judge = f", {judge_words(claim)}" if judge_words(claim) else ""
    if len(best) == len(labels):
        same = SentencePart(f" have the same {claim.phrase()}{moment}: {written[0]}{judge}.")
        return Conclusion(
            (SentencePart(f"{_all_of(len(labels))} crawls", True), same), cannot=(SINGLE,)
        )
    reference = 0 if labels[0] not in best else _runner_up(values)
    against = values[reference]
    next_best = ", the next best," if reference else ""
    sentence = (
        SentencePart(f"{claim.title}: "),
        SentencePart(join_names(best), True),
        SentencePart(" is " if len(best) == 1 else " are "),
        SentencePart(f"{distance(claim, most - against)} higher", True),
        SentencePart(
            f" than {labels[reference]}{next_best}{moment} "
            f"({precise(most, claim.unit)} against {written[reference]}{judge})."
        ),
    )
    others = [
        f"{label} {_rate_change(claim, value - against)}"
        for index, (label, value) in enumerate(zip(labels, values, strict=True))
        if index != reference and label not in best
    ]
    return Conclusion(sentence, _against(labels[reference], others), (SINGLE,))


def _rate_change(claim: type[Measure], change: float) -> str:
    if not change:
        return "the same"
    return f"{distance(claim, change)} {'higher' if change > 0 else 'lower'}"


def _runner_up(values: Sequence[float]) -> int:
    """The index of the largest value below the largest; the first of several."""
    below = [value for value in values if value < max(values)]
    return [*values].index(max(below))


def _against(reference: str, others: Sequence[str]) -> str:
    return f"Against {reference}: {', '.join(others)}." if others else ""


def of_pairs(tests: Sequence[Test], common: int | None) -> Conclusion:
    """The crawlers compared with the baseline over topics, the one furthest ahead first."""
    if common is None:
        return NO_MOMENT
    for claim in CLAIMS:
        made = [test for test in tests if test.measure is claim]
        if any(test.mean or test.base_mean for test in made):
            break
    else:
        return NO_MEASURE
    verdict = of_tests(made, f"at {count(common)} pages")
    few = min(test.topics for test in made) < ENOUGH_TOPICS
    return replace(verdict, cannot=(FEW,)) if few else verdict
