"""The harvest rate over a crawl."""

from __future__ import annotations

from apps.crawls.charts.chart import Chart

HARVEST = Chart(
    id="harvest",
    title="Harvest rate",
    summary="The share of the fetched pages that the judge calls relevant.",
    unit="share",
    colour="harvest",
    empty="No judge: the topic has no examples",
    how_to_read="Bold since the start, faint in the last 100 pages: the faint line shows how the "
    "crawl is doing now. The number of relevant pages above says who judges.",
    remedy="Add examples",
    remedy_field="positives",
    listed=True,
)
