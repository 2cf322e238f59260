"""Pages by topicality and status."""

from __future__ import annotations

from collections.abc import Sequence

from apps.crawls.measures.crawl_report import CrawlReport, MapCell
from apps.crawls.measures.plots.plot import Plot
from apps.figures.axis import Axis
from apps.figures.figure import Figure, FigureTable
from apps.figures.quantities import count, score, share
from apps.figures.traces import Squares


class StatusMap(Plot):
    """How many pages have which score of the judge and how many in-links.

    Over pages that have both. A square’s side grows with the logarithm of its pages; the coloured
    ones are the fewest that hold more than 90 % of them.
    """

    id = "status_map"
    title = "Topicality and status"
    paper = "SL Fig. 14"

    def figure(self, report: CrawlReport) -> Figure:
        dense = [cell for cell in report.map if cell.dense]
        thin = [cell for cell in report.map if not cell.dense]
        return Figure(
            Axis("ln(1 + in-links)", "log"),
            Axis("judge’s P(c|v)", "score"),
            (
                _squares("densest cells, over 90 %", "status", dense),
                _squares("other cells", "ink-3", thin),
            ),
            reading=_reading(report, dense),
            empty="No page with both a judge’s score and a known in-link count",
            table=_table(report.map),
            grouped=False,
        )


def _squares(label: str, colour: str, cells: Sequence[MapCell]) -> Squares:
    return Squares(
        label,
        colour,
        [cell.log for cell in cells],
        [cell.score for cell in cells],
        pages=[cell.pages for cell in cells],
    )


def _reading(report: CrawlReport, dense: Sequence[MapCell]) -> str:
    if not report.mapped:
        return ""
    part = share(sum(cell.pages for cell in dense) / report.mapped)
    return (
        f"Map of {count(report.mapped)} pages: {count(len(dense))} of {count(len(report.map))} "
        f"cells hold {part}."
    )


def _table(cells: Sequence[MapCell]) -> FigureTable:
    return FigureTable(
        ("Judge’s P(c|v)", "ln(1 + in-links)", "Pages", "Among the densest"),
        tuple(
            (f"{cell.score:.3f}", score(cell.log), count(cell.pages), "yes" if cell.dense else "no")
            for cell in cells
        ),
    )
