"""Plots over the pages fetched, of the values that name them in their `CurveSpec`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from apps.crawls.measures.crawl_report import CrawlReport
from apps.crawls.measures.curves import lines
from apps.crawls.measures.plots.plot import Plot
from apps.engine.evaluation.measure import Unit
from apps.figures.axis import Axis, pages_fetched
from apps.figures.figure import Figure
from apps.figures.quantities import count
from apps.figures.traces import Curve


class OverTheCrawl(Plot):
    """The curves of measures and strategies whose `CurveSpec` names the plot, where defined.

    `unit` is their unit, `axis_title` the title of their axis. `empty` is the message inside the
    axes without values.
    """

    unit: ClassVar[Unit]
    axis_title: ClassVar[str]
    empty: ClassVar[str] = "First point after 10 pages"

    def figure(self, report: CrawlReport) -> Figure:
        pages = [n for n, _ in report.courses]
        columns = [
            (line, [values[line.key] for _, values in report.courses]) for line in lines(self.id)
        ]
        curves = [
            line.curve(pages, column)
            for line, column in columns
            if any(value is not None for value in column)
        ]
        last = max(pages, default=100)
        axis = Axis(self.axis_title, self.unit)
        return Figure(
            pages_fetched(last),
            axis,
            tuple(curves),
            reading=self._reading(curves, axis, last),
            empty=self.empty,
            labelled=len(curves) > 1,
        )

    def _reading(self, curves: Sequence[Curve], axis: Axis, last: int) -> str:
        """The last values of the curves, in a sentence."""
        ends = ", ".join(f"{curve.label} {axis.write(curve.y[-1])}" for curve in curves)
        return f"{self.title} after {count(last)} pages: {ends}."
