"""Precision over recall, by the labels of a recorded web."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from apps.crawls.measures.crawl_report import CrawlReport
from apps.crawls.measures.plots.plot import Plot
from apps.figures.axis import Axis
from apps.figures.figure import Figure, FigureTable
from apps.figures.quantities import count, share
from apps.figures.traces import Curve

Points = Sequence[tuple[int, float, float]]


class PrecisionRecall(Plot):
    """The share of relevant pages among those fetched, as more of the web’s are report.

    Both need all relevant pages, so they exist only on a recorded web whose pages carry the
    topic’s label. The dashed line is the best precision from there on, as interpolated curves
    show it.
    """

    id = "precision_recall"
    title = "Precision over recall"
    paper = "HCLA §5.1"

    def figure(self, report: CrawlReport) -> Figure:
        points = report.recalled.points if report.recalled else ()
        recall = [r for _, _, r in points]
        best = _best_from_there_on(points)
        return Figure(
            Axis("recall of the web’s relevant pages", "share"),
            Axis("precision", "share"),
            (
                Curve("precision", "harvest", recall, [p for _, p, _ in points]),
                Curve("best from there on", "harvest", recall, best, "dashed"),
            ),
            reading=_reading(points),
            empty=_empty(report),
            table=_table(points, best),
        )


def _best_from_there_on(points: Points) -> list[float]:
    """The highest precision at each recall or any beyond."""
    return [*accumulate((p for _, p, _ in reversed(points)), max)][::-1]


def _reading(points: Points) -> str:
    if not points:
        return ""
    _, precision, recall = points[-1]
    return f"Precision over recall: at the end {share(precision)} at recall {share(recall)}."


def _empty(report: CrawlReport) -> str:
    if report.recalled:
        return "No relevant page found yet"
    return "Only on a recorded web whose pages carry the topic’s label"


def _table(points: Points, best: Sequence[float]) -> FigureTable:
    return FigureTable(
        ("Pages", "Recall", "Precision", "Best from there on"),
        tuple(
            (count(n), share(r), share(p), share(b))
            for (n, p, r), b in zip(points, best, strict=True)
        ),
    )
