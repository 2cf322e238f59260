"""A search of a web's pages, as it is in the query string, and as SQL over the web's index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, ClassVar

from apps.search.fields import PageColumns, field_conditions
from apps.search.filter import Filter
from apps.search.fts5 import all_matched, any_matched, matched
from apps.search.query import FIELDS, PAGES, Clause, read_query, stemmed
from apps.search.search import Search
from apps.search.sql import Condition, all_of, any_of, where
from apps.webs.pages.filters.catalogue import FILTERS
from apps.webs.pages.filters.label import LABEL

WEIGHTS = "10.0, 1.0, 2.0"
"""The weights of title, text and address."""

COLUMNS = PageColumns("url", "host", "language", "published")


class WebPageOrder(StrEnum):
    """The order of the pages; `best` match needs words, `inlinks` that links are counted; `file` is
    the web's own order; by `published` the latest come first."""

    BEST = "best"
    FILE = "file"
    TITLE = "title"
    LONGEST = "longest"
    INLINKS = "inlinks"
    PUBLISHED = "published"


class PageSearch(Search):
    """Its `context` are the names of the topics on the web, by key."""

    rows: ClassVar = "a web’s pages"

    orders: ClassVar = {
        WebPageOrder.BEST: "Best match",
        WebPageOrder.FILE: "As in the file",
        WebPageOrder.TITLE: "Title",
        WebPageOrder.LONGEST: "Longest",
        WebPageOrder.INLINKS: "Most in-links",
        WebPageOrder.PUBLISHED: "Date",
    }
    prefixes: ClassVar = PAGES

    @classmethod
    def catalogue(cls) -> Sequence[Filter[Any]]:
        return FILTERS

    @property
    def order_in_effect(self) -> WebPageOrder:
        """Best match only if there are words, else the web's own."""
        order = WebPageOrder(self.order or (WebPageOrder.BEST if self.words else WebPageOrder.FILE))
        return WebPageOrder.FILE if order is WebPageOrder.BEST and not self.words else order

    def offered_orders(self, has_links: bool) -> list[tuple[str, str, bool]]:
        """(title, query string, whether it is in effect) of each order that is possible."""
        possible: dict[str, bool] = {
            WebPageOrder.BEST: bool(self.words),
            WebPageOrder.INLINKS: has_links,
        }
        return self.order_links(self.order_in_effect, possible)


def labelled(label: str) -> PageSearch:
    """The search for the pages with a label."""
    return PageSearch().having(LABEL, (label,))


def matching(search: PageSearch, language: str, ranked: bool = False) -> Condition:
    """The SELECT of (page, rank) of a search; the lower the rank, the better the match.

    The rank, which takes longest to compute, is 0 unless `ranked`.
    """
    clauses = stemmed(read_query(search.words, search.prefixes), [language])
    words = [clause for clause in clauses if not clause.in_fields]
    wanted = [clause for clause in words if not clause.excluded]
    unwanted = [clause for clause in words if clause.excluded]
    held = all_of(
        [
            Condition("1 = 1"),
            *(_in_fields(clause) for clause in clauses if clause.in_fields),
            *([_lacking(unwanted)] if unwanted else []),
            *(where(filter.condition(value)) for filter, value in search.active()),
        ]
    )
    if not wanted:
        sql = f"SELECT number AS page, 0 AS rank FROM pages WHERE {held.sql}"
        return Condition(sql, held.params)
    rank = f"bm25(page_words, {WEIGHTS})" if ranked else "0"
    return Condition(
        f"SELECT number AS page, {rank} AS rank"
        " FROM page_words CROSS JOIN pages ON pages.number = page_words.rowid"
        f" WHERE page_words MATCH %s AND {held.sql}",
        (all_matched(wanted), *held.params),
    )


def _lacking(unwanted: Iterable[Clause]) -> Condition:
    sql = "number NOT IN (SELECT rowid FROM page_words WHERE page_words MATCH %s)"
    return Condition(sql, (any_matched(unwanted),))


def _in_fields(clause: Clause) -> Condition:
    """Pages with a phrase of the clause in their address, or among their words if it has both."""
    ways = field_conditions(clause, COLUMNS)
    if any(phrase.prefix not in FIELDS for phrase in clause.phrases):
        sql = "number IN (SELECT rowid FROM page_words WHERE page_words MATCH %s)"
        ways.append(Condition(sql, (matched(clause),)))
    either = any_of(ways)
    return Condition(f"NOT ({either.sql})", either.params) if clause.excluded else either
