"""Catalogues for the pages of the help."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template

from apps.collection.filters.catalogue import FILTERS
from apps.collection.filters.filter import Filter
from apps.exports.format import Format
from apps.exports.formats import FORMATS
from apps.screens.help.figures import FigureHelp, charts, paper_figures, plots

register = template.Library()


@register.simple_tag
def export_formats() -> Iterable[Format]:
    """Every format of a download, in the order of the menus."""
    return FORMATS.values()


@register.simple_tag
def collection_filters() -> Iterable[Filter[Any]]:
    """Every filter of a collection, in the order of the screen."""
    return FILTERS


@register.simple_tag
def live_charts() -> Iterable[FigureHelp]:
    """Every chart of the live page, explained."""
    return [*charts()]


@register.simple_tag
def measure_plots() -> Iterable[FigureHelp]:
    """Every plot of the measures, explained."""
    return [*plots()]


@register.simple_tag
def papers_figures() -> Iterable[FigureHelp]:
    """Every figure of the papers that an experiment is drawn as, explained."""
    return [*paper_figures()]
