"""Finding pages: the list with near-duplicates folded, and all results for downloads."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.collection import full_text
from apps.collection.conditions import Tables, fetch_parts, tables, visits_condition
from apps.collection.facets import Facets, count_facets, facet_parts
from apps.collection.full_text import fetch
from apps.collection.full_text.parts import QueryPart
from apps.collection.search import CollectionSearch, PageOrder
from apps.collection.searched_crawls import SearchedCrawls
from apps.collection.shared_pages.same_page import shown_entries
from apps.collection.stored_counts import stored_count
from apps.crawls.models import HostRecord, Page
from apps.search.sql import Condition, among

ROWS = 20
DUPLICATES_SHOWN = 10

ORDERS = {
    PageOrder.NEAREST: "similarity DESC NULLS LAST, hits.page_id",
    PageOrder.BEST: "rank NULLS LAST, topicality DESC NULLS LAST, hits.page_id",
    PageOrder.TOPICALITY: "topicality DESC NULLS LAST, hits.page_id",
    PageOrder.STATUS: "status DESC NULLS LAST, hits.page_id",
    PageOrder.PUBLISHED: "published DESC NULLS LAST, topicality DESC NULLS LAST, hits.page_id",
    PageOrder.NEWEST: "hits.page_id DESC",
    PageOrder.DIFFER: "differing.address IS NULL, topicality DESC NULLS LAST, hits.page_id",
}


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that matches; `fold` names its group of near-duplicates, or is None; so is
    `similarity` where nothing is asked that pages are to be near to."""

    page: int
    fold: int | None
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """How many `pages` match; `shown` of them are listed, near-duplicates folded.

    `looked_through` of the `candidates` with the words of a phrase were searched for the phrase: if
    not all were, at least `pages` have it.
    """

    pages: int
    shown: int
    candidates: int
    looked_through: int

    @property
    def at_least(self) -> bool:
        return self.looked_through < self.candidates


@dataclass(frozen=True, slots=True)
class MatchingPages:
    """One screen of results; `ranked` of all matches are ordered by their words."""

    rows: tuple[Hit, ...]
    totals: MatchCounts
    ranked: int

    @property
    def number_listed(self) -> int:
        return self.totals.shown


@dataclass(frozen=True, slots=True)
class Look:
    """A screen of the list, and the counts beside it."""

    hits: MatchingPages
    facets: Facets


def look(search: CollectionSearch, screen: int = 1, size: int = ROWS) -> Look:
    """The list and the counts of a search, in one statement."""
    chosen, order = tables(search), search.order_in_effect
    screen_part = _screen(search, chosen, order, size * (screen - 1), size)
    rows, totals, *counts = fetch_parts(
        search, chosen, [screen_part, _totals_part(chosen), *facet_parts(search)]
    )
    return Look(_hits(chosen, order, rows, totals), count_facets(search, *counts))


def find(search: CollectionSearch, screen: int = 1, size: int = ROWS) -> MatchingPages:
    """The pages of one screen (from 1), in the order of the search.

    Of near-duplicates the one fetched first is shown, if it passes the filters.
    """
    return hits_from(search, size * (screen - 1), size)


def hits_from(search: CollectionSearch, before: int, number: int) -> MatchingPages:
    """So many pages in the order of the search, `before` others having come first."""
    chosen, order = tables(search), search.order_in_effect
    screen_part = _screen(search, chosen, order, before, number)
    rows, totals = fetch_parts(search, chosen, [screen_part, _totals_part(chosen)])
    return _hits(chosen, order, rows, totals)


def count(search: CollectionSearch) -> MatchCounts:
    """How many pages match."""
    chosen = tables(search)
    ((row,),) = fetch_parts(search, chosen, [_totals_part(chosen)])
    return _totals(chosen, row)


SAMPLED = 40
# Multiplying by one prime modulo another spreads consecutive keys.
SAMPLE = QueryPart(
    ("page_id",),
    f"SELECT page_id FROM hits ORDER BY (page_id * 7919) %% 10007, page_id LIMIT {SAMPLED}",
)


# Of near-duplicates the one that the list shows. The sum keeps SQLite from reading the pages of all
# crawls that have none from the index of near-duplicates.
_SHOWN = (
    "(hits.fold + 0 IS NULL OR hits.page_id IN"
    " (SELECT MIN(page_id) FROM hits WHERE fold IS NOT NULL GROUP BY fold))"
)
SHOWN_SAMPLE = QueryPart(SAMPLE.columns, SAMPLE.sql.replace("hits", f"hits WHERE {_SHOWN}", 1))


def sample(
    search: CollectionSearch, without_duplicates: bool = False
) -> tuple[MatchCounts, array[int]]:
    """How many pages match, and the keys of `SAMPLED` of them, spread over all."""
    chosen = tables(search)
    of_rows = SHOWN_SAMPLE if without_duplicates else SAMPLE
    (totals,), rows = fetch_parts(search, chosen, [_totals_part(chosen), of_rows])
    return _totals(chosen, totals), array("q", (page for (page,) in rows))


def matching_pages(
    search: CollectionSearch, each_crawl: bool = False, without_duplicates: bool = False
) -> array[int]:
    """The keys of the rows of all matches, eight bytes each, by crawl and page number; with
    `each_crawl` those of every searched crawl that has fetched a page, `without_duplicates`
    only of the matches that the list shows."""
    chosen = tables(search, thorough=True)
    shown = _SHOWN if without_duplicates else "1 = 1"
    every = QueryPart(
        ("page_id",), f"SELECT page_id FROM hits WHERE {shown} ORDER BY crawl_id, page_id"
    )
    if each_crawl:
        visited = visits_condition(search)
        every = QueryPart(
            ("page_id",),
            f"SELECT e.page_id AS page_id {visited.sql} AND {shown} ORDER BY e.crawl_id, e.page_id",
            visited.params,
        )
    (rows,) = fetch(chosen.sql, chosen.params, [every])
    return array("q", (page for (page,) in rows))


def visits(search: CollectionSearch, without_duplicates: bool = False) -> int:
    """How many rows `matching_pages` has with `each_crawl`."""
    chosen, visited = tables(search), visits_condition(search)
    shown = _SHOWN if without_duplicates else "1 = 1"
    part = QueryPart(
        ("visits",), f"SELECT COUNT(*) AS visits {visited.sql} AND {shown}", visited.params
    )
    (((number,),),) = fetch_parts(search, chosen, [part])
    return int(number)


def _totals_part(chosen: Tables) -> QueryPart:
    """The numbers of `_totals`. All candidates are hits unless a phrase is looked for in them."""
    candidates = "(SELECT COUNT(*) FROM candidates)" if chosen.matching.in_page else "COUNT(*)"
    return QueryPart(
        ("pages", "pages - folded", "candidates"),
        f"SELECT COUNT(*) AS pages, {candidates} AS candidates,"
        " (SELECT COUNT(*) - COUNT(DISTINCT fold) FROM hits WHERE fold IS NOT NULL) AS folded"
        " FROM hits",
    )


def _screen(
    search: CollectionSearch, chosen: Tables, order: PageOrder, before: int, number: int
) -> QueryPart:
    ranks, join = "", ""
    params: tuple[Any, ...] = ()
    if order is PageOrder.BEST:
        matching = chosen.matching
        ranks = (
            "WITH best AS MATERIALIZED (SELECT page_id FROM hits ORDER BY topicality DESC NULLS"
            f" LAST, page_id LIMIT {full_text.RANKED}), ranked AS MATERIALIZED ({matching.ranks})"
        )
        join, params = "LEFT JOIN ranked ON ranked.page_id = hits.page_id", matching.rank_params
    elif order is PageOrder.DIFFER:
        differing = _differing(search.context.crawl_ids)
        ranks, params = f"WITH differing AS MATERIALIZED ({differing.sql})", differing.params
        join = "LEFT JOIN differing ON differing.address = hits.address"
    similarity = "NULL AS similarity"
    if chosen.by_nearness:
        join += " LEFT JOIN nearness ON nearness.page_id = hits.page_id"
        similarity = "similarity"
    return QueryPart(
        ("page_id", "fold", "similarity"),
        f"""{ranks} SELECT hits.page_id AS page_id, fold, {similarity} FROM hits {join}
            WHERE {_SHOWN}
            ORDER BY {ORDERS[order]} LIMIT %s OFFSET %s""",
        (*params, number, before),
    )


def _differing(crawl_ids: Sequence[int]) -> Condition:
    """The addresses that some of the crawls call relevant and others do not."""
    crawls = among("e.crawl_id", crawl_ids)
    return Condition(
        f"SELECT e.address AS address FROM collection_entry e WHERE {crawls.sql} AND e.verdict >= 0"
        " GROUP BY e.address HAVING MAX(e.verdict) > 0 AND MIN(e.verdict) = 0",
        crawls.params,
    )


def _hits(chosen: Tables, order: PageOrder, rows: Any, totals: Any) -> MatchingPages:
    totals = _totals(chosen, totals[0])
    ranked = min(full_text.RANKED, totals.pages) if order is PageOrder.BEST else 0
    return MatchingPages(tuple(Hit(*row) for row in rows), totals, ranked)


def _totals(chosen: Tables, row: Any) -> MatchCounts:
    pages, shown, candidates = row
    looked = min(candidates, full_text.LOOKED_THROUGH) if chosen.matching.in_page else candidates
    return MatchCounts(pages, shown, candidates, looked)


def host_count(crawl_ids: Sequence[int]) -> int:
    """The number of hosts of the crawls' pages."""
    hosts = HostRecord.objects.filter(crawl__in=crawl_ids, pages__gt=0)
    return hosts.order_by().values("host").distinct().count()


def labelled_count(searched: SearchedCrawls) -> int:
    """The number of labelled pages of the crawls."""
    labelled = shown_entries(searched.sets).filter(label__isnull=False)
    question = ("labelled", *searched.crawl_ids)
    return stored_count(searched.topic.pk, question, labelled.count)


@dataclass(frozen=True, slots=True)
class Others:
    """The near-duplicates of a match: their number, and the first ten."""

    count: int
    pages: tuple[Page, ...]


def duplicates(sets: Mapping[int, tuple[int, ...]], hits: Sequence[Hit]) -> dict[int, Others]:
    """The near-duplicates in sets of crawls of each match, ignoring the filters."""
    groups = {hit.fold: hit.page for hit in hits if hit.fold is not None}
    entries = shown_entries(sets).filter(fold__in=groups).exclude(page_id__in=groups.values())
    others: dict[int, list[int]] = {}
    for page, fold in entries.order_by("page_id").values_list("page_id", "fold"):
        assert fold is not None
        others.setdefault(groups[fold], []).append(page)
    shown = [page for pages in others.values() for page in pages[:DUPLICATES_SHOWN]]
    rows = Page.objects.in_bulk(shown)
    return {
        first: Others(len(pages), tuple(rows[page] for page in pages[:DUPLICATES_SHOWN]))
        for first, pages in others.items()
    }
