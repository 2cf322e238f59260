"""The plots of a crawl's records on the screen of measures."""

from __future__ import annotations

from typing import Any

from django.template.loader import render_to_string
from django.utils.html import format_html

from apps.crawls.measures.crawl_report import CrawlReport
from apps.crawls.measures.plots import PLOTS
from apps.crawls.measures.plots.plot import Plot
from apps.figures.figure import Figure
from apps.screens.figure_box import FigureBox


def plots_context(report: CrawlReport) -> dict[str, Any]:
    """`boxes`, one for each plot, and `figures`, what the browser draws by plot id."""
    drawn = [(plot, plot.figure(report)) for plot in PLOTS]
    shown = [(plot, figure) for plot, figure in drawn if figure.has_values or not plot.optional]
    return {
        "boxes": [_box(plot, figure) for plot, figure in shown],
        "figures": {plot.id: figure.as_plotly() for plot, figure in shown},
    }


def _box(plot: Plot, figure: Figure) -> FigureBox:
    has_values = figure.has_values
    traces = figure.traces if has_values else ()
    return FigureBox(
        id=plot.id,
        title=plot.title,
        caption=render_to_string("measures/caption.html", {"plot": plot, "traces": traces}),
        reading=figure.reading if has_values else f"{plot.title}: {figure.empty}.",
        empty="" if has_values else format_html("<p>{}</p>", figure.empty),
        table=figure.as_table() if has_values else None,
    )
