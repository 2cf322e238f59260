"""The conclusion of a comparison in plain sentences, no stronger than the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.engine.evaluation.harvest_rate import HarvestRate
from apps.engine.evaluation.harvest_rate_true import HarvestRateTrue
from apps.engine.evaluation.measure import Measure
from apps.engine.evaluation.target_recall import TargetRecall
from apps.experiments.compare.fairness import listed
from apps.experiments.compare.pairs import ENOUGH_FOR_WILCOXON, Test
from apps.experiments.compare.table import Row
from apps.figures.quantities import count, probability, share


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


@dataclass(frozen=True, slots=True)
class Claim:
    """The criterion by which a crawl is called better: how many of its `things` it `found`."""

    measure: type[Measure]
    things: str
    found: str
    by: str = ""


# The first one is used that all crawls have and can be compared by.
CLAIMS = (
    Claim(TargetRecall, "targets", "found"),
    Claim(HarvestRateTrue, "relevant pages", "found", "by the web’s labels"),
    Claim(HarvestRate, "relevant pages", "found", "by their judge"),
)
SINGLE = (
    "One crawl of each carries no error bars and no p-value: another random seed or another topic "
    "may turn it round. Crawl several topics with the same strategies to test the difference."
)
FEW = (
    "With fewer than 6 topics only large differences can be shown, and Wilcoxon’s test cannot "
    "come below 0.05."
)


NO_MOMENT = Verdict((Words("Nothing can be said of them yet: they share no number of pages."),))
NO_MEASURE = Verdict((Words(
    "Shown side by side: which is better cannot be said. No measure of what was found is known of "
    "all of them by the same judge or targets."),))  # fmt: skip
SEVERAL_TOPICS = (
    "They are of different topics: shown side by side, not tested. Crawls of the same two or more "
    "strategies on each topic are compared in pairs."
)


def of_one_topic(
    rows: Sequence[Row], labels: Sequence[str], common: int | None, targets: int | None
) -> Verdict:
    """Which of the crawls of one topic had found most at the common number of pages; `targets` is
    how many there are."""
    if common is None:
        return NO_MOMENT
    claims = {claim: counts for claim in CLAIMS
              if (counts := _counts(claim, rows, common, targets)) is not None}
    if not claims:
        return NO_MEASURE
    # If no crawl has found a target yet, relevant pages are compared instead.
    claim = next((claim for claim, counts in claims.items() if any(counts)), next(iter(claims)))
    total = targets if claim.measure is TargetRecall else None
    return _told(claim, claims[claim], labels, common, total)


def of_same_pages(crawls: int, pages: int, same_order: bool) -> Verdict:
    """The verdict on crawls that have fetched exactly the same pages."""
    all_of = "Both" if crawls == 2 else f"All {crawls}"
    order = ", in the same order" if same_order else ", in another order"
    return Verdict((
        Words(f"{all_of} crawls", True), Words(" fetched exactly the "),
        Words(f"same {count(pages)} pages", True), Words(f"{order}."),
    ), "" if same_order else "What differs between them is when each page was found.")  # fmt: skip


def _counts(
    claim: Claim, rows: Sequence[Row], common: int, targets: int | None
) -> list[int] | None:
    """How many things each crawl had found, or None if one cannot be compared with the others."""
    row = next((row for row in rows if row.measure is claim.measure and row.comparable), None)
    total = targets if claim.measure is TargetRecall else common
    if row is None or total is None:
        return None
    marks = [cell.at_common if cell else None for cell in row.cells]
    return None if None in marks else [round(mark * total) for mark in marks if mark is not None]


def _told(
    claim: Claim, counts: Sequence[int], labels: Sequence[str], common: int, total: int | None
) -> Verdict:
    most = max(counts)
    best = [label for label, n in zip(labels, counts, strict=True) if n == most]
    moment = f" at {count(common)} pages"
    of = f" of {count(total)}" if total else ""
    judged = f", {claim.by}" if claim.by else ""
    if len(best) == len(labels):
        all_of = "Both" if len(labels) == 2 else f"All {len(labels)}"
        same = f" {claim.found} the same number of {claim.things}{moment}: "
        rest = Words(f"{same}{count(most)}{of}{judged}.")
        return Verdict((Words(f"{all_of} crawls", True), rest), cannot=(SINGLE,))
    reference = 0 if counts[0] < most else _second(counts)
    against = counts[reference]
    next_best = ", the next best," if reference else ""
    if against:
        change = Words(f"{share(most / against - 1)} more", True)
        rest = (f" {claim.things} than {labels[reference]}{next_best}{moment} "
                f"({count(most)} against {count(against)}{of}{judged}).")  # fmt: skip
    else:
        change = Words(f"{count(most)}{of}", True)
        rest = f" {claim.things}{moment}{judged}, {labels[reference]} none."
    said = (Words(listed(best), True), Words(f" {claim.found} "), change, Words(rest))
    return Verdict(said, _others(counts, labels, best, reference), (SINGLE,))


def _second(counts: Sequence[int]) -> int:
    """The index of the largest number below the largest."""
    most = max(counts)
    return max((n, -place) for place, n in enumerate(counts) if n < most)[1] * -1


def _others(
    counts: Sequence[int], labels: Sequence[str], best: Sequence[str], reference: int
) -> str:
    said = [f"{label} {_change(n, counts[reference])}"
            for place, (label, n) in enumerate(zip(labels, counts, strict=True))
            if place != reference and label not in best]
    return f"Against {labels[reference]}: {', '.join(said)}." if said else ""


def _change(n: int, against: int) -> str:
    """`23 % more`, `as many`."""
    if n == against:
        return "as many"
    if not against:
        return f"{count(n)}"
    return f"{share(abs(n / against - 1))} {'more' if n > against else 'fewer'}"


def of_pairs(tests: Sequence[Test], common: int | None) -> Verdict:
    """The crawlers compared with the baseline over topics, the one furthest ahead first."""
    if common is None:
        return NO_MOMENT
    for claim in CLAIMS:
        made = [test for test in tests if test.measure is claim.measure]
        if any(test.mean or test.base_mean for test in made):
            break
    else:
        return NO_MEASURE
    first = max(made, key=lambda test: (test.shown, test.difference))
    rest = " ".join(_short(test, claim) for test in made if test is not first)
    few = min(test.topics for test in made) < ENOUGH_FOR_WILCOXON
    return Verdict(_tested(first, claim, common), rest, (FEW,) if few else ())


def _tested(test: Test, claim: Claim, common: int) -> tuple[Words, ...]:
    moment = f" at {count(common)} pages"
    topics = f"{count(test.topics)} topics"
    if test.shown:
        return (
            Words(test.crawler, True), Words(f" {claim.found} "), Words(_per_cent(test), True),
            Words(f" {claim.things} than {test.baseline}{moment} ({_interval(test)}, "
                  f"{_p(test)}), better on {count(test.better)} of {topics}."),
        )  # fmt: skip
    return (
        Words("No difference", True), Words(" between "), Words(test.crawler, True),
        Words(f" and {test.baseline} is shown{moment}, which is not “equal”: {_per_cent(test)} "
              f"{claim.things} over {topics} ({', '.join(filter(None, _doubts(test)))})."),
    )  # fmt: skip


def _doubts(test: Test) -> tuple[str, ...]:
    needed = f"about {count(test.needed)} topics would be needed" if test.needed else ""
    return _interval(test), _p(test) if test.p is not None else "no test", needed


def _short(test: Test, claim: Claim) -> str:
    if test.shown:
        return f"{test.crawler} {claim.found} {_per_cent(test)} ({_p(test)})."
    return f"For {test.crawler} no difference from {test.baseline} is shown."


def _per_cent(test: Test) -> str:
    if not test.base_mean:
        return "more" if test.difference > 0 else "as many"
    ratio = test.difference / test.base_mean
    return "as many" if not ratio else f"{share(abs(ratio))} {'more' if ratio > 0 else 'fewer'}"


def _interval(test: Test) -> str:
    """`−5 to 29 %, 95 % interval`, as shares of the baseline's mean."""
    if test.interval is None or not test.base_mean:
        return ""
    low, high = (100 * end / test.base_mean for end in test.interval)
    return f"{_signed(low)} to {_signed(high)} %, 95 % interval"


def _signed(per_cent: float) -> str:
    return f"{per_cent:.0f}".replace("-", "−")


def _p(test: Test) -> str:
    said = probability(test.holm)
    return f"p {said} after Holm" if said.startswith("<") else f"p = {said} after Holm"
