"""The charts of a running crawl, one file each, in their order on the page."""

from __future__ import annotations

from apps.crawls.charts.alpha import ALPHA
from apps.crawls.charts.chart import Chart
from apps.crawls.charts.harvest import HARVEST
from apps.crawls.charts.recall import RECALL
from apps.crawls.charts.status import STATUS

CHARTS: tuple[Chart, ...] = (HARVEST, RECALL, STATUS, ALPHA)

# A crawl's working time in seconds: the charts' other horizontal axis.
CLOCK = "active_seconds"


def keys() -> tuple[str, ...]:
    """The names of the sample values that the charts read."""
    drawn = [line.key for chart in CHARTS for line in chart.lines]
    return (*drawn, *(name for chart in CHARTS for name in chart.reads), CLOCK)
