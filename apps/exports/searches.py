"""Downloads of a search of a collection, and their sizes beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from apps.collection.filters.crawl import CRAWL
from apps.collection.filters.query import Filters
from apps.collection.indexing import list_pages
from apps.collection.same_page import sets_within
from apps.collection.scope import Scope
from apps.collection.selectors import found_pages, sample, visits
from apps.exports.format import Format, Size
from apps.exports.rows import Choice, Selection
from apps.exports.sizes import sizes


def found(
    scope: Scope, filters: Filters, format: Format, each_crawl: bool = False
) -> Selection:
    """The selection of a search; all pages of its crawls are listed in the index first.

    With `each_crawl` a page comes once for each crawl that has fetched it.
    """
    if not format.holds_pages:
        return _crawls(scope, filters)
    if scope.unlisted:
        for crawl in scope.crawls:
            list_pages(crawl)
        scope = replace(scope, sets=sets_within(scope.topic, scope.crawl_ids))
    return replace(_pages(scope), found=found_pages(scope, filters, each_crawl))


@dataclass(frozen=True, slots=True)
class Measured:
    """How many rows a download has, or has `at_least`, and the size of its file by format."""

    rows: int
    at_least: bool
    sizes: Mapping[str, Size]


def measure(
    scope: Scope, filters: Filters, format: Format, each_crawl: bool = False
) -> Measured:
    """The rows and sizes of a download without making it."""
    totals, pages = sample(scope, filters)
    rows = visits(scope, filters) if each_crawl else totals.found
    known = sizes(_pages(scope), _crawls(scope, filters), pages, rows)
    if format.count is not None:
        return Measured(format.count(_crawls(scope, filters)), False, known)
    return Measured(rows, totals.at_least, known)


def _pages(scope: Scope) -> Selection:
    """Every crawl, since a page may be shown for another crawl than the one it is filtered by."""
    return Selection(tuple(reversed(scope.crawls)), Choice(text=True))


def _crawls(scope: Scope, filters: Filters) -> Selection:
    """The selected crawls: for waiting links the filters of pages do not apply."""
    wanted = filters.of(CRAWL).keys or scope.crawl_ids
    crawls = tuple(crawl for crawl in reversed(scope.crawls) if crawl.pk in wanted)
    return Selection(crawls, Choice(text=True))
