"""The share of the targets found."""

from __future__ import annotations

from apps.crawls.charts.chart import Chart, Metrics, Samples
from apps.crawls.models import Crawl
from apps.engine.evaluation.estimated_recall import FEWEST_REQUESTS
from apps.engine.evaluation.target_recall import estimated_recall
from apps.figures.quantities import count


def _found(latest: Metrics) -> str:
    if not latest.get("targets"):
        return ""
    return f"{count(latest.get('targets_found'))} of {count(latest['targets'])}"


def _estimate(crawl: Crawl, samples: Samples) -> str:
    """What the targets found say of all relevant pages."""
    found, targets = (int(crawl.metrics.get(name) or 0) for name in ("targets_found", "targets"))
    between = estimated_recall(found, targets)
    if between is None:
        return ""
    low, high = (f"{100 * share:.0f}" for share in between)
    return f"By the targets {low}–{high} %, if they are a fair sample"


RECALL = Chart(
    id="recall",
    title="Target recall",
    summary="The share found of the targets, pages that the crawler is not told of; dashed, the"
    " estimated share of all relevant pages within reach.",
    unit="share",
    colour="recall",
    empty="No targets on this topic; recall is estimated after"
    f" {FEWEST_REQUESTS} requests beside the seeds",
    titles={"estimated_recall": "Estimated recall"},
    how_to_read="It rises in steps; 0 for long does not mean failure where targets are few.",
    remedy="Add targets",
    remedy_field="targets",
    beside=_found,
    note=_estimate,
    listed=True,
)
