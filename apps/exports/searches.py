"""What a search of a collection has found, for a download and for its count before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from apps.collection.filters import Filters
from apps.collection.indexing import list_pages
from apps.collection.scope import Scope
from apps.collection.selectors import found_pages, sample
from apps.exports import queue
from apps.exports.formats import Format
from apps.exports.rows import Choice, Selection
from apps.exports.sizes import Size, sizes


def found(scope: Scope, filters: Filters, format: Format) -> Selection:
    """The selection of a search, every page of its crawls being listed first."""
    for crawl in scope.crawls if scope.unlisted else ():
        list_pages(crawl)
    chosen = _crawls(scope, filters)
    if format.export is queue.export:
        return chosen
    return replace(chosen, found=found_pages(scope, filters))


@dataclass(frozen=True, slots=True)
class Measured:
    """How many rows a download has, or has `at_least`, and the size of its file by format."""

    rows: int
    at_least: bool
    sizes: Mapping[str, Size]


def measure(scope: Scope, filters: Filters, format: Format) -> Measured:
    """What `found` would give, before it is asked for."""
    crawls = _crawls(scope, filters)
    totals, pages = sample(scope, filters)
    known = sizes(crawls, pages, totals.found)
    if format.export is queue.export:
        return Measured(queue.count(crawls), False, known)
    return Measured(totals.found, totals.at_least, known)


def _crawls(scope: Scope, filters: Filters) -> Selection:
    """The crawls that are looked at: filters of pages mean nothing to links that wait."""
    wanted = filters.crawls or scope.crawl_ids
    crawls = tuple(crawl for crawl in reversed(scope.crawls) if crawl.pk in wanted)
    return Selection(crawls, Choice(text=True))
