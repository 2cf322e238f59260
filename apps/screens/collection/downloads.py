"""The download menu of a search."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.urls import reverse

from apps.collection.facets import Facets
from apps.collection.filters.catalogue import FILTERS
from apps.collection.filters.crawl import CRAWL
from apps.collection.filters.panels import CheckBox, Slider
from apps.collection.filters.query import Filters
from apps.collection.scope import Scope
from apps.exports.format import Format
from apps.exports.formats import FORMATS
from apps.exports.rows import Selection


@dataclass(frozen=True, slots=True)
class Download:
    """`asked` are the filters that the menu shows, `kept` the others, as hidden fields. `formats`
    come with the number of rows, None if rows are pages."""

    address: str
    count_address: str
    kept: tuple[tuple[str, str], ...]
    asked: tuple[CheckBox | Slider, ...]
    formats: tuple[tuple[Format, int | None], ...]


def download(scope: Scope, filters: Filters, counts: Facets) -> Download:
    """The menu, set to the present search."""
    kept = replace(filters, order=None)
    for filter, value in filters.active():
        kept = kept.having(filter, filter.kept(value))
    asked = (f.in_download(filters.of(f), counts.of(f)) for f in FILTERS)
    wanted = filters.of(CRAWL).keys or scope.crawl_ids
    looked_at = Selection(tuple(crawl for crawl in scope.crawls if crawl.pk in wanted))
    kind, pk = ("crawl", scope.only.pk) if scope.only else ("topic", scope.topic.pk)
    return Download(
        address=reverse(f"downloads:{kind}_search", args=[pk]),
        count_address=reverse(f"downloads:{kind}_count", args=[pk]),
        kept=tuple(kept.pairs()),
        asked=tuple(each for each in asked if each is not None),
        formats=tuple((f, f.count(looked_at) if f.count else None) for f in FORMATS.values()),
    )
