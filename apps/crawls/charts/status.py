"""The average status of the pages that a crawl collects."""

from __future__ import annotations

from apps.crawls.charts.chart import Chart, SampleColumns, SparklineColumn
from apps.crawls.models import Crawl
from apps.topics.inputs.inlinks import status_source


def _source(crawl: Crawl, samples: SampleColumns) -> str:
    return status_source(crawl.inputs)


STATUS = Chart(
    id="status",
    title="Average status",
    summary="The mean of ln(1 + in-links): from counts, else estimated by the model.",
    unit="log",
    colour="status",
    empty="No status: no in-link counts and no status model",
    how_to_read="Counts and the model’s estimates are never mixed; the line above the chart "
    "names the source of the counts.",
    note=_source,
    columns=(SparklineColumn("Average status", ("average_status", "average_status_estimated")),),
)
