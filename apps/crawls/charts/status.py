"""How influential the pages are that a crawl gathers."""

from __future__ import annotations

from apps.crawls.charts.chart import Chart, Samples
from apps.crawls.models import Crawl
from apps.topics.inputs.inlinks import status_source


def _source(crawl: Crawl, samples: Samples) -> str:
    return status_source(crawl.inputs)


STATUS = Chart(
    id="status",
    title="Average status",
    summary="The mean of ln(1 + in-links): counted where counts are known, else by the model.",
    unit="log",
    colour="status",
    empty="No status: no in-link counts and no status model",
    note=_source,
    listed=True,
)
