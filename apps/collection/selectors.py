"""Finding pages: the list with near-duplicates folded, and all results for downloads."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from apps.collection import search
from apps.collection.conditions import Tables, tables, visits_condition
from apps.collection.facets import Facets, counted, facet_parts
from apps.collection.filters.filter import Condition, among
from apps.collection.filters.query import Filters, Order
from apps.collection.same_page import shown_entries
from apps.collection.scope import Scope
from apps.collection.search import Part, fetch
from apps.crawls.models import HostRecord, Page

ROWS = 20
DUPLICATES_SHOWN = 10

ORDERS = {
    Order.BEST: "rank NULLS LAST, topicality DESC NULLS LAST, hits.page_id",
    Order.TOPICALITY: "topicality DESC NULLS LAST, hits.page_id",
    Order.STATUS: "status DESC NULLS LAST, hits.page_id",
    Order.NEWEST: "hits.page_id DESC",
    Order.DIFFER: "differing.address IS NULL, topicality DESC NULLS LAST, hits.page_id",
}


@dataclass(frozen=True, slots=True)
class Hit:
    """A page found; `fold` names its group of near-duplicates, or is None."""

    page: int
    fold: int | None


@dataclass(frozen=True, slots=True)
class Totals:
    """How many pages were found; `shown` of them are listed, near-duplicates folded.

    `looked_through` of the `candidates` with the words of a phrase were searched for the phrase: if
    not all were, at least `found` pages have it.
    """

    found: int
    shown: int
    candidates: int
    looked_through: int

    @property
    def at_least(self) -> bool:
        return self.looked_through < self.candidates


@dataclass(frozen=True, slots=True)
class Hits:
    """One screen of results; `ranked` of all pages found are ordered by their words."""

    rows: tuple[Hit, ...]
    totals: Totals
    ranked: int

    @property
    def shown(self) -> int:
        return self.totals.shown


@dataclass(frozen=True, slots=True)
class Look:
    """A screen of the list, and the counts beside it."""

    hits: Hits
    facets: Facets


def look(scope: Scope, filters: Filters, screen: int = 1, size: int = ROWS) -> Look:
    """The list and the counts of a search, in one statement."""
    chosen, order = _ordered(scope, filters)
    screen_part = _screen(scope, chosen, order, screen, size)
    rows, totals, *counts = fetch(
        chosen.sql, chosen.params, [screen_part, TOTALS, *facet_parts(filters)]
    )
    return Look(_hits(chosen, order, rows, totals), counted(scope, filters, *counts))


def find(scope: Scope, filters: Filters, screen: int = 1, size: int = ROWS) -> Hits:
    """The pages of one screen (from 1), in the order of the search.

    Of near-duplicates the one fetched first is shown, if it passes the filters.
    """
    chosen, order = _ordered(scope, filters)
    screen_part = _screen(scope, chosen, order, screen, size)
    rows, totals = fetch(chosen.sql, chosen.params, [screen_part, TOTALS])
    return _hits(chosen, order, rows, totals)


def count(scope: Scope, filters: Filters) -> Totals:
    """How many pages are found."""
    chosen = tables(scope, filters)
    ((row,),) = fetch(chosen.sql, chosen.params, [TOTALS])
    return _totals(chosen, row)


SAMPLED = 200
# Multiplying by one prime modulo another spreads consecutive keys.
SAMPLE = Part(
    ("page_id",),
    f"SELECT page_id FROM hits ORDER BY (page_id * 7919) %% 10007, page_id LIMIT {SAMPLED}",
)


def sample(scope: Scope, filters: Filters) -> tuple[Totals, array[int]]:
    """How many pages are found, and the keys of two hundred of them, spread over all."""
    chosen = tables(scope, filters)
    (totals,), rows = fetch(chosen.sql, chosen.params, [TOTALS, SAMPLE])
    return _totals(chosen, totals), array("q", (page for (page,) in rows))


def found_pages(scope: Scope, filters: Filters, each_crawl: bool = False) -> array[int]:
    """The keys of the rows of all pages found, eight bytes each, by crawl and page number; with
    `each_crawl` those of every crawl of the scope that has fetched a page."""
    chosen = tables(scope, filters, thorough=True)
    every = Part(("page_id",), "SELECT page_id FROM hits ORDER BY crawl_id, page_id")
    if each_crawl:
        visited = visits_condition(scope, filters)
        every = Part(("page_id",), f"SELECT e.page_id AS page_id {visited.sql}"
                     " ORDER BY e.crawl_id, e.page_id", visited.params)  # fmt: skip
    (rows,) = fetch(chosen.sql, chosen.params, [every])
    return array("q", (page for (page,) in rows))


def visits(scope: Scope, filters: Filters) -> int:
    """How many rows `found_pages` has with `each_crawl`."""
    chosen, visited = tables(scope, filters), visits_condition(scope, filters)
    part = Part(("visits",), f"SELECT COUNT(*) AS visits {visited.sql}", visited.params)
    (((number,),),) = fetch(chosen.sql, chosen.params, [part])
    return int(number)


TOTALS = Part(
    ("found", "shown", "candidates"),
    "SELECT COUNT(*) AS found, COUNT(*) - COUNT(fold) + COUNT(DISTINCT fold) AS shown,"
    " (SELECT COUNT(*) FROM candidates) AS candidates FROM hits",
)


def _ordered(scope: Scope, filters: Filters) -> tuple[Tables, Order]:
    """Without words to rank by (none, or only excluded ones), or crawls that could differ, the most
    topical pages come first."""
    chosen = tables(scope, filters)
    possible = {Order.BEST: bool(chosen.found.ranks), Order.DIFFER: scope.several}
    wanted = filters.ordered
    return chosen, wanted if possible.get(wanted, True) else Order.TOPICALITY


def _screen(scope: Scope, chosen: Tables, order: Order, screen: int, size: int) -> Part:
    ranks, join = "", ""
    params: tuple[Any, ...] = ()
    if order is Order.BEST:
        ranks = (
            "WITH best AS MATERIALIZED (SELECT page_id FROM hits ORDER BY topicality DESC NULLS"
            f" LAST, page_id LIMIT {search.RANKED}), ranked AS MATERIALIZED ({chosen.found.ranks})"
        )
        join, params = "LEFT JOIN ranked ON ranked.page_id = hits.page_id", chosen.found.rank_params
    elif order is Order.DIFFER:
        differing = _differing(scope)
        ranks, params = f"WITH differing AS MATERIALIZED ({differing.sql})", differing.params
        join = "LEFT JOIN differing ON differing.address = hits.address"
    return Part(
        ("page_id", "fold"),
        f"""{ranks} SELECT hits.page_id AS page_id, fold FROM hits {join}
            WHERE fold IS NULL OR hits.page_id IN (
                SELECT MIN(page_id) FROM hits WHERE fold IS NOT NULL GROUP BY fold)
            ORDER BY {ORDERS[order]} LIMIT %s OFFSET %s""",
        (*params, size, size * (screen - 1)),
    )


def _differing(scope: Scope) -> Condition:
    """The addresses that some crawls of the scope call relevant and others do not."""
    crawls = among("e.crawl_id", scope.crawl_ids)
    return Condition(
        f"SELECT e.address AS address FROM collection_entry e WHERE {crawls.sql} AND e.verdict >= 0"
        " GROUP BY e.address HAVING MAX(e.verdict) > 0 AND MIN(e.verdict) = 0", crawls.params,
    )


def _hits(chosen: Tables, order: Order, rows: Any, totals: Any) -> Hits:
    known = _totals(chosen, totals[0])
    ranked = min(search.RANKED, known.found) if order is Order.BEST else 0
    return Hits(tuple(Hit(page, fold) for page, fold in rows), known, ranked)


def _totals(chosen: Tables, row: Any) -> Totals:
    found, shown, candidates = row
    looked = min(candidates, search.LOOKED_THROUGH) if chosen.found.places else candidates
    return Totals(found, shown, candidates, looked)


def page_count(scope: Scope) -> int:
    """The number of distinct pages of a scope."""
    return shown_entries(scope.sets).count()


def host_count(scope: Scope) -> int:
    """The number of hosts of a scope's pages."""
    hosts = HostRecord.objects.filter(crawl__in=scope.crawl_ids, pages__gt=0)
    return hosts.order_by().values("host").distinct().count()


def labelled_count(scope: Scope) -> int:
    """The number of labelled pages of a scope."""
    return shown_entries(scope.sets).filter(label__isnull=False).count()


@dataclass(frozen=True, slots=True)
class Others:
    """The near-duplicates of a page found: their number, and the first ten."""

    count: int
    pages: tuple[Page, ...]


def duplicates(scope: Scope, hits: Sequence[Hit]) -> dict[int, Others]:
    """The near-duplicates in the scope of each page found, ignoring the filters."""
    groups = {hit.fold: hit.page for hit in hits if hit.fold is not None}
    entries = shown_entries(scope.sets).filter(fold__in=groups).exclude(page_id__in=groups.values())
    others: dict[int, list[int]] = {}
    for page, fold in entries.order_by("page_id").values_list("page_id", "fold"):
        others.setdefault(groups[fold], []).append(page)
    shown = [page for pages in others.values() for page in pages[:DUPLICATES_SHOWN]]
    found = Page.objects.in_bulk(shown)
    return {
        first: Others(len(pages), tuple(found[page] for page in pages[:DUPLICATES_SHOWN]))
        for first, pages in others.items()
    }
