"""Pages by topicality and status."""

from __future__ import annotations

from collections.abc import Sequence

from apps.crawls.measures.crawl_report import CrawlReport, MapCell
from apps.crawls.measures.plots.plot import Plot
from apps.figures.axis import Axis
from apps.figures.figure import Figure, Table
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

    def figure(self, found: CrawlReport) -> Figure:
        dense = [cell for cell in found.map if cell.dense]
        thin = [cell for cell in found.map if not cell.dense]
        return Figure(
            Axis("ln(1 + in-links)", "log"), Axis("judge’s P(c|v)", "score"),
            (_squares("densest cells, over 90 %", "status", dense),
             _squares("other cells", "ink-3", thin)),
            reading=_reading(found, dense),
            empty="No page with both a judge’s score and a known in-link count",
            table=_table(found.map), grouped=False,
        )  # fmt: skip


def _squares(label: str, colour: str, cells: Sequence[MapCell]) -> Squares:
    return Squares(label, colour, [cell.log for cell in cells], [cell.score for cell in cells],
                   pages=[cell.pages for cell in cells])  # fmt: skip


def _reading(found: CrawlReport, dense: Sequence[MapCell]) -> str:
    if not found.mapped:
        return ""
    part = share(sum(cell.pages for cell in dense) / found.mapped)
    return (f"Map of {count(found.mapped)} pages: {count(len(dense))} of {count(len(found.map))} "
            f"cells hold {part}.")  # fmt: skip


def _table(cells: Sequence[MapCell]) -> Table:
    return Table(
        ("Judge’s P(c|v)", "ln(1 + in-links)", "Pages", "Among the densest"),
        tuple((f"{cell.score:.3f}", score(cell.log), count(cell.pages),
               "yes" if cell.dense else "no") for cell in cells),
    )  # fmt: skip
