"""The share of the targets found."""

from __future__ import annotations

from apps.crawls.charts.chart import Chart, Metrics
from apps.figures.quantities import count


def _found(latest: Metrics) -> str:
    if not latest.get("targets"):
        return ""
    return f"{count(latest.get('targets_found'))} of {count(latest['targets'])}"


RECALL = Chart(
    id="recall",
    title="Target recall",
    summary="The share found of the targets, pages that the crawler is not told of.",
    unit="share",
    colour="recall",
    empty="No targets on this topic",
    how_to_read="It rises in steps; 0 for long does not mean failure where targets are few.",
    remedy="Add targets",
    remedy_field="targets",
    beside=_found,
    listed=True,
)
