"""The average status of the pages that a crawl collects."""

from __future__ import annotations

from apps.crawls.charts.chart import Chart, Samples
from apps.crawls.models import Crawl
from apps.topics.inputs.inlinks import status_source


def _source(crawl: Crawl, samples: Samples) -> str:
    return status_source(crawl.inputs)


STATUS = Chart(
    id="status",
    title="Average status",
    summary="The mean of ln(1 + in-links): from known counts, else estimated by the model.",
    unit="log",
    colour="status",
    empty="No status: no in-link counts and no status model",
    how_to_read="Known counts and the model’s estimates are never mixed; the line above the chart "
    "says where the counts come from.",
    note=_source,
    listed=True,
)
