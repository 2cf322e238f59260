"""The share of the targets that are fetched."""

from __future__ import annotations

from apps.crawls.charts.chart import Chart, Metrics, SampleColumns, SparklineColumn
from apps.crawls.models import Crawl
from apps.engine.evaluation.estimated_recall import FEWEST_REQUESTS, EstimatedRecall
from apps.engine.evaluation.target_recall import TargetRecall, estimated_recall
from apps.figures.quantities import count

REACHED, ALL = TargetRecall.more


def _reached(latest: Metrics) -> str:
    if not latest.get(ALL):
        return ""
    return f"{count(latest[REACHED])} of {count(latest[ALL])}"


def _estimate(crawl: Crawl, samples: SampleColumns) -> str:
    """An estimate of all relevant pages from the targets."""
    reached, targets = (int(crawl.metrics.get(name) or 0) for name in TargetRecall.more)
    between = estimated_recall(reached, targets)
    if between is None:
        return ""
    low, high = (f"{100 * share:.0f}" for share in between)
    return f"By the targets {low}–{high} %, if they are a fair sample"


RECALL = Chart(
    id="recall",
    title="Target recall",
    summary="The share found of the targets, pages that the crawler is not told of; dashed, the"
    " estimated share of all relevant pages within reach, between two faint curves that hold it in"
    " nine of ten crawls; these alone where they are more than 50 points apart.",
    unit="share",
    colour="recall",
    empty="No targets on this topic; recall is estimated once a relevant page is found and"
    f" {FEWEST_REQUESTS} requests are made, beside the seeds",
    titles=dict.fromkeys((EstimatedRecall.id, *EstimatedRecall.more), "Estimated recall"),
    how_to_read="It rises in steps; 0 for long does not mean failure where targets are few.",
    remedy="Add targets",
    remedy_field="targets",
    beside=_reached,
    note=_estimate,
    columns=(
        SparklineColumn("Target recall", ("target_recall",)),
        SparklineColumn("Estimated recall", (EstimatedRecall.id,)),
    ),
)
