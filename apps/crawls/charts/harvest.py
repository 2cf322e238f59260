"""The harvest rate over a crawl."""

from __future__ import annotations

from apps.crawls.charts.chart import Chart, SparklineColumn

HARVEST = Chart(
    id="harvest",
    title="Harvest rate",
    summary="The share of the fetched pages that the judge calls relevant.",
    unit="share",
    colour="harvest",
    empty="Not judged: no examples, or a classifier at chance",
    how_to_read="Bold since the start, faint in the last 100 pages: the faint line shows how the "
    "crawl is doing now. The number of relevant pages above names the judge.",
    remedy="Add examples",
    remedy_field="positives",
    columns=(SparklineColumn("Harvest rate", ("harvest_rate", "harvest_rate_true")),),
)
