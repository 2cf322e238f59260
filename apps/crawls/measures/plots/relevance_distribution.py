"""How sure the judge is of its verdicts."""

from __future__ import annotations

from apps.crawls.measures.crawl_report import CrawlReport
from apps.crawls.measures.plots.plot import Plot
from apps.figures.axis import Axis
from apps.figures.figure import Figure, FigureTable
from apps.figures.quantities import count, share
from apps.figures.traces import Bars


class RelevanceDistribution(Plot):
    """How many pages the judge gave which probability, in tenths.

    Two peaks at the ends mean a sure judge; a peak in the middle means a crawl at the border of its
    topic.
    """

    id = "relevance_distribution"
    title = "Relevance distribution"
    paper = "AFC §3.3"

    def figure(self, report: CrawlReport) -> Figure:
        numbers = report.distribution
        middles = [(i + 0.5) / 10 for i in range(len(numbers))] if sum(numbers) else []
        return Figure(
            Axis("judge’s P(c|v)", "score", step=0.2),
            Axis("pages", "count"),
            (Bars("pages", "harvest", middles, numbers if middles else ()),),
            reading=_reading(numbers),
            empty="No judge: the topic has no examples",
            table=_table(numbers),
        )


def _reading(numbers: tuple[int, ...]) -> str:
    sure = sum(numbers[:1]) + sum(numbers[-1:])
    return (
        f"Relevance distribution: {count(sure)} of {count(sum(numbers))} pages lie in the "
        "lowest or the highest tenth."
    )


def _table(numbers: tuple[int, ...]) -> FigureTable:
    total = sum(numbers)
    return FigureTable(
        ("Judge’s P(c|v)", "Pages", "Share"),
        tuple(
            (f"{i / 10:.1f}–{(i + 1) / 10:.1f}", count(n), share(n / total if total else None))
            for i, n in enumerate(numbers)
        ),
    )
