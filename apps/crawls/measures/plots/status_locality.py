"""Whether pages link to pages of similar status."""

from __future__ import annotations

from apps.crawls.measures.crawl_report import CrawlReport
from apps.crawls.measures.plots.plot import Plot
from apps.engine.evaluation.status_locality import Locality
from apps.figures.axis import Axis
from apps.figures.figure import Figure, FigureTable
from apps.figures.quantities import count, probability, score
from apps.figures.traces import Bars


class StatusLocality(Plot):
    """How strongly the in-links of two pages correlate, by the number of links between them.

    Spearman’s correlation of in-links after one, two and three links, and of random pairs. Up to
    5,000 pages are drawn at each distance from all pages linked to, fetched or not, whose in-links
    are known. If all bars are about 0, a strategy that trusts status gains nothing.
    """

    id = "status_locality"
    title = "Status locality"
    paper = "SL §3.1"

    def figure(self, report: CrawlReport) -> Figure:
        rows = report.localities
        words = [_words(row) for row in rows]
        return Figure(
            Axis("links between the two pages", ""),
            Axis("Spearman’s ρ of in-links", "correlation"),
            (
                Bars("all links", "status", words, [row.correlation for row in rows]),
                Bars("between domains", "ink-2", words, [row.cross for row in rows]),
            ),
            reading=_reading(rows),
            empty="Too few linked pages with a known in-link count",
            table=_table(rows),
        )


def _words(row: Locality) -> str:
    return f"distance {row.distance}" if row.distance else "random pairs"


def _reading(rows: tuple[Locality, ...]) -> str:
    return f"Status locality: {', '.join(f'{_words(r)} {score(r.correlation)}' for r in rows)}."


def locality_numbers(row: Locality) -> tuple[str, ...]:
    """Pairs, ρ and p in words, of all pairs and of those between domains."""
    return (
        count(row.pairs),
        score(row.correlation),
        probability(row.p),
        count(row.cross_pairs),
        score(row.cross),
        probability(row.cross_p),
    )


def _table(rows: tuple[Locality, ...]) -> FigureTable:
    return FigureTable(
        (
            "Between the two",
            "Pairs",
            "Correlation",
            "p",
            "Pairs between domains",
            "Correlation",
            "p",
        ),
        tuple((_words(row), *locality_numbers(row)) for row in rows),
    )
