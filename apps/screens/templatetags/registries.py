"""Catalogues for the pages of the help, and the names of their entries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import template
from django.utils.safestring import SafeString

from apps.collection.filters.catalogue import FILTERS
from apps.engine.intelligence.strategies import strategy_title
from apps.exports.columns import COLUMNS, RowColumn
from apps.exports.csv import DIALECT
from apps.exports.format import Format
from apps.exports.formats import FORMATS
from apps.papers.deviations import KINDS, Deviation, deviations
from apps.papers.papers import PAPERS, Paper
from apps.screens.help.docstrings import html_of
from apps.screens.help.figures import FigureHelp, charts, paper_figures, plots
from apps.search.filter import Filter

register = template.Library()
register.filter(strategy_title)


@register.simple_tag
def export_formats() -> Iterable[Format]:
    """Every format of a download, in the order of the menus."""
    return FORMATS.values()


@register.simple_tag
def export_columns() -> Iterable[RowColumn]:
    """Every column of a row, in the order of the files."""
    return COLUMNS.values()


@register.simple_tag
def csv_dialect() -> str:
    """The dialect of CSV in a sentence."""
    return DIALECT


@register.simple_tag
def collection_filters() -> Iterable[Filter[Any]]:
    """Every filter of a collection, in the order of the screen."""
    return FILTERS


@register.simple_tag
def live_charts() -> Iterable[FigureHelp]:
    """Every chart of the live page, explained."""
    return [*charts()]


@register.filter
def marked(text: str) -> SafeString:
    """A text whose `names` in grave accents are code."""
    return html_of(text)


@register.simple_tag
def paper_deviations() -> Iterable[tuple[str, Paper, Sequence[Deviation]]]:
    """Every departure from a paper, paper by paper."""
    return [(id, PAPERS[id], every) for id, every in deviations().items()]


@register.simple_tag
def deviation_kinds() -> Iterable[tuple[str, str]]:
    """The kinds of departures with their meanings."""
    return KINDS.items()


@register.simple_tag
def measure_plots() -> Iterable[FigureHelp]:
    """Every plot of the measures, explained."""
    return [*plots()]


@register.simple_tag
def papers_figures() -> Iterable[FigureHelp]:
    """Every figure of the papers that an experiment is drawn as, explained."""
    return [*paper_figures()]
