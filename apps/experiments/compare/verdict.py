"""The conclusion of a comparison in plain sentences, no stronger than the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.engine.evaluation.harvest_rate import HarvestRate
from apps.engine.evaluation.harvest_rate_true import HarvestRateTrue
from apps.engine.evaluation.measure import Measure
from apps.engine.evaluation.target_recall import TargetRecall
from apps.experiments.compare.table import Row
from apps.experiments.paired_tests import ENOUGH_TOPICS, Test
from apps.experiments.sentences import BY, Verdict, Words, of_tests
from apps.figures.quantities import comparison, count, listed

# A crawl is called better by how many things it found; the first measure is used that all crawls
# have and can be compared by.
CLAIMS: tuple[type[Measure], ...] = (TargetRecall, HarvestRateTrue, HarvestRate)
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
    total = targets if claim is TargetRecall else None
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
    claim: type[Measure], rows: Sequence[Row], common: int, targets: int | None
) -> list[int] | None:
    """How many things each crawl had found, or None if one cannot be compared with the others."""
    row = next((row for row in rows if row.measure is claim and row.comparable), None)
    total = targets if claim is TargetRecall else common
    if row is None or total is None:
        return None
    marks = [cell.at_common if cell else None for cell in row.cells]
    return None if None in marks else [round(mark * total) for mark in marks if mark is not None]


def _told(
    claim: type[Measure], counts: Sequence[int], labels: Sequence[str], common: int,
    total: int | None,
) -> Verdict:
    most = max(counts)
    best = [label for label, n in zip(labels, counts, strict=True) if n == most]
    moment = f" at {count(common)} pages"
    of = f" of {count(total)}" if total else ""
    judged = f", {BY[claim.witness]}" if claim.witness in BY else ""
    if len(best) == len(labels):
        all_of = "Both" if len(labels) == 2 else f"All {len(labels)}"
        same = f" found the same number of {claim.things}{moment}: "
        rest = Words(f"{same}{count(most)}{of}{judged}.")
        return Verdict((Words(f"{all_of} crawls", True), rest), cannot=(SINGLE,))
    reference = 0 if counts[0] < most else _second(counts)
    against = counts[reference]
    next_best = ", the next best," if reference else ""
    if against:
        change = Words(comparison(most, against), True)
        rest = (f" {claim.things} than {labels[reference]}{next_best}{moment} "
                f"({count(most)} against {count(against)}{of}{judged}).")  # fmt: skip
    else:
        change = Words(f"{count(most)}{of}", True)
        rest = f" {claim.things}{moment}{judged}, {labels[reference]} none."
    said = (Words(listed(best), True), Words(" found "), change, Words(rest))
    return Verdict(said, _others(counts, labels, best, reference), (SINGLE,))


def _second(counts: Sequence[int]) -> int:
    """The index of the largest number below the largest."""
    most = max(counts)
    return max((n, -place) for place, n in enumerate(counts) if n < most)[1] * -1


def _others(
    counts: Sequence[int], labels: Sequence[str], best: Sequence[str], reference: int
) -> str:
    against = counts[reference]
    said = [f"{label} {comparison(n, against)}"
            for place, (label, n) in enumerate(zip(labels, counts, strict=True))
            if place != reference and label not in best]
    return f"Against {labels[reference]}: {', '.join(said)}." if said else ""


def of_pairs(tests: Sequence[Test], common: int | None) -> Verdict:
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
