"""The number of relevant pages left: the estimate in words, its basis, and the limits that use
it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.text import capfirst

from apps.crawls.commands.limits.recall import RECALL
from apps.crawls.commands.limits.slope import SLOPE
from apps.crawls.commands.limits.stop_rule import StopRule
from apps.crawls.labels.precision import precision
from apps.crawls.measures.estimates import RecallInterval
from apps.crawls.models import Crawl
from apps.engine.evaluation.estimated_recall import FEWEST_REQUESTS, LEAST_LABELS, EstimatedRecall
from apps.engine.evaluation.label_calibration import FEWEST_LABELS
from apps.figures.quantities import THIN, count
from apps.screens.live.progress import JUDGES


@dataclass(frozen=True, slots=True)
class Outlook:
    """`words` are the estimate as a sentence, empty as long as there is none, and `missing` what it
    waits for; `basis` is what the estimate rests on. `rules` are the limits that end the crawl by
    it, each with its value as typed, empty for no limit. `precision` is how many of the pages that
    look relevant are, empty while none does. `measure` is the id of the measure."""

    words: str
    basis: str
    rules: tuple[tuple[StopRule, str], ...]
    missing: str
    precision: str
    measure: str = EstimatedRecall.id


def outlook(crawl: Crawl, labels: int) -> Outlook:
    """The outlook of a crawl with this number of labels in force."""
    estimated = RecallInterval.of(crawl.metrics)
    return Outlook(
        f"{capfirst(estimated.words())}.".replace(" %", f"{THIN}%") if estimated else "",
        _basis(crawl, labels),
        tuple((rule, rule.typed(crawl)) for rule in (RECALL, SLOPE)),
        _missing(crawl),
        share.words().replace(" %", f"{THIN}%") if (share := precision(crawl)) else "",
    )


def _missing(crawl: Crawl) -> str:
    """The data that an estimate needs."""
    if crawl.judged_by == "guiding_classifier":
        return (
            "No estimate yet: the classifier that guides this crawl is its only judge. Label "
            f"{LEAST_LABELS} of its pages, or add examples for judging."
        )
    return (
        f"No estimate yet: it needs {FEWEST_REQUESTS} requests and a relevant page beside the "
        "seeds."
    )


def _basis(crawl: Crawl, labels: int) -> str:
    judge_title = "" if crawl.judged_by == "none" else JUDGES.get(crawl.judged_by, "")
    corrected = f", corrected by {count(labels)} labels" if labels >= FEWEST_LABELS else ""
    judged = f" ({judge_title}{corrected})" if judge_title else ""
    return f"From how fast relevant pages became rarer{judged}, continued over the links that wait."
