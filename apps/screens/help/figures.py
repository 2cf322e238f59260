"""How the charts of the live page, the plots of the measures and the papers' figures are read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from apps.crawls.charts import CHARTS
from apps.crawls.measures.curves import ChartLine, lines
from apps.crawls.measures.plots import PLOTS
from apps.engine.evaluation import BY_ID
from apps.experiments.figures import FIGURES
from apps.screens.help.docstrings import explained


@dataclass(frozen=True, slots=True)
class FigureHelp:
    """A figure explained: its sentence, how it is read, and its `curves`.

    Each curve has its label and the address of its measure, "" where it is no measure's.
    """

    title: str
    paper: str
    summary: SafeString
    more: tuple[SafeString, ...]
    curves: tuple[tuple[str, str], ...]


def charts() -> Iterator[FigureHelp]:
    """The charts of the live page, in their order there."""
    for chart in CHARTS:
        more = (escape(chart.how_to_read),) if chart.how_to_read else ()
        yield FigureHelp(chart.title, "", escape(chart.summary), more, _curves(chart.id))


def plots() -> Iterator[FigureHelp]:
    """The plots of the measures, in their order there."""
    for plot in PLOTS:
        text = explained(type(plot))
        yield FigureHelp(plot.title, plot.paper, text.summary, text.paragraphs, _curves(plot.id))


def paper_figures() -> Iterator[FigureHelp]:
    """The figures of the papers that an experiment is drawn as, in their order there."""
    for figure in FIGURES:
        text = explained(type(figure))
        notes = tuple(format_html("<b>{}:</b> {}", note.kind, note.words) for note in text.notes)
        published = format_html("<i>Published:</i> {}", figure.published)
        more = (*text.paragraphs, *notes, published)
        yield FigureHelp(figure.title, figure.paper, text.summary, more, ())


def _curves(id: str) -> tuple[tuple[str, str], ...]:
    return tuple((line.label, _address(line)) for line in lines(id))


def _address(line: ChartLine) -> str:
    is_measure = line.key in BY_ID
    return reverse("help:measure", args=[line.key]) if is_measure else ""
