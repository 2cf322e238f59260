"""The download menu of a search."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.urls import reverse

from apps.collection.facets import Facets
from apps.collection.filters.crawl import chosen_crawls
from apps.collection.filters.near import NEAR
from apps.collection.search import CollectionSearch
from apps.exports.columns import COLUMNS, SIMILARITY, USUAL, RowColumn
from apps.exports.format import Format
from apps.exports.formats import FORMATS
from apps.exports.row_choice import WITHOUT_DUPLICATES
from apps.exports.rows import Selection
from apps.search.panels import CheckBox, Slider

FIRST = 5
"""The formats that stand above the fold."""


@dataclass(frozen=True, slots=True)
class OfferedFormat:
    """A format with the number of its rows, None if rows are pages."""

    format: Format
    rows: int | None


@dataclass(frozen=True, slots=True)
class Download:
    """`controls` are the choices of rows that the menu shows, `hidden` the parameters of the other
    filters; `usual` names the columns that are ticked at first, in each format also those
    `beside`."""

    address: str
    count_address: str
    hidden: tuple[tuple[str, str], ...]
    controls: tuple[CheckBox | Slider, ...]
    first: tuple[OfferedFormat, ...]
    more: tuple[OfferedFormat, ...]
    columns: tuple[RowColumn, ...] = tuple(COLUMNS.values())
    usual: tuple[str, ...] = USUAL
    beside: tuple[str, ...] = ()


def download(search: CollectionSearch, counts: Facets) -> Download:
    """The menu, set to the present search."""
    searched, beside = search.context, replace(search, order="")
    for filter, value in search.active():
        beside = beside.having(filter, filter.beside_download(value))
    controls = (f.in_download(search.of(f), counts.of(f)) for f in search.filters)
    duplicates = CheckBox(
        WITHOUT_DUPLICATES, "without near-duplicates, one of each group", checked=True
    )
    selection = Selection(chosen_crawls(search))
    kind, pk = ("crawl", searched.only.pk) if searched.only else ("topic", searched.topic.pk)
    offered = tuple(
        OfferedFormat(f, f.count(selection) if f.count else None) for f in FORMATS.values()
    )
    return Download(
        address=reverse(f"downloads:{kind}_search", args=[pk]),
        count_address=reverse(f"downloads:{kind}_count", args=[pk]),
        hidden=tuple(beside.pairs()),
        controls=(duplicates, *(control for control in controls if control is not None)),
        first=offered[:FIRST],
        beside=(SIMILARITY,) if search.of(NEAR) != NEAR.nothing else (),
        more=offered[FIRST:],
    )
