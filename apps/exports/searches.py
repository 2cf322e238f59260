"""What a search of a collection has found, for a download and for its count before."""

from __future__ import annotations

from dataclasses import dataclass, replace

from apps.collection.filters import Filters
from apps.collection.indexing import list_pages
from apps.collection.scope import Scope
from apps.collection.selectors import count, found_pages
from apps.exports import queue
from apps.exports.formats import Format
from apps.exports.rows import Choice, Selection


def found(scope: Scope, filters: Filters, format: Format) -> Selection:
    """The selection of a search, every page of its crawls being listed first."""
    for crawl in scope.crawls if scope.unlisted else ():
        list_pages(crawl)
    chosen = _crawls(scope, filters)
    if format.export is queue.export:
        return chosen
    return replace(chosen, found=found_pages(scope, filters))


@dataclass(frozen=True, slots=True)
class Rows:
    """How many rows a download has, or has `at_least`."""

    count: int
    at_least: bool = False


def rows_found(scope: Scope, filters: Filters, format: Format) -> Rows:
    """How many rows `found` would give."""
    if format.export is queue.export:
        return Rows(queue.count(_crawls(scope, filters)))
    totals = count(scope, filters)
    return Rows(totals.found, totals.at_least)


def _crawls(scope: Scope, filters: Filters) -> Selection:
    """The crawls that are looked at: filters of pages mean nothing to links that wait."""
    wanted = filters.crawls or scope.crawl_ids
    crawls = tuple(crawl for crawl in reversed(scope.crawls) if crawl.pk in wanted)
    return Selection(crawls, Choice(text=True))
