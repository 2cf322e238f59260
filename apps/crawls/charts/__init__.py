"""The charts of a running crawl, in their order on the page: one file each, and its line here."""

from __future__ import annotations

from apps.crawls.charts.alpha import ALPHA
from apps.crawls.charts.chart import Chart
from apps.crawls.charts.harvest import HARVEST
from apps.crawls.charts.recall import RECALL
from apps.crawls.charts.status import STATUS

CHARTS: tuple[Chart, ...] = (HARVEST, RECALL, STATUS, ALPHA)

# The time a crawl was at work, in seconds: the other axis that the charts can be drawn over.
CLOCK = "active_seconds"


def keys() -> tuple[str, ...]:
    """The numbers of a sample that the charts read."""
    drawn = [line.key for chart in CHARTS for line in chart.lines]
    return (*drawn, *(name for chart in CHARTS for name in chart.reads), CLOCK)
