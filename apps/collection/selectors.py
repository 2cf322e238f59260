"""Finding pages: the list with near-duplicates folded, and everything found, for downloads."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from apps.collection.conditions import Source, facet_conditions, host_condition, source
from apps.collection.filters import Filters, Order
from apps.collection.models import Entry
from apps.collection.scope import Scope
from apps.collection.search import fetch
from apps.crawls.models import Page

ROWS = 20
DUPLICATES_SHOWN = 10

ORDERS = {
    Order.BEST: "rank, topicality DESC NULLS LAST, shown.page_id",
    Order.TOPICALITY: "topicality DESC NULLS LAST, shown.page_id",
    Order.STATUS: "status DESC NULLS LAST, shown.page_id",
    Order.NEWEST: "shown.page_id DESC",
}


@dataclass(frozen=True, slots=True)
class Hit:
    """A page found; `fold` names its group of near-duplicates, None where it has none."""

    page: int
    fold: int | None


@dataclass(frozen=True, slots=True)
class Hits:
    """One screen of what was found; `shown` counts everything found, near-duplicates folded."""

    rows: tuple[Hit, ...]
    shown: int


def find(scope: Scope, filters: Filters, screen: int = 1, size: int = ROWS) -> Hits:
    """The pages of one screen (from 1), in the order asked for.

    Of pages that say the same the one fetched first is shown, if the filters leave it.
    """
    chosen = source(scope, filters, host_condition(filters), *facet_conditions(filters))
    order = filters.ordered if chosen.found.rank or chosen.found.ranked else _unranked(filters)
    sql, params = _screen_query(chosen, order)
    rows = fetch(sql, [*params, size, size * (screen - 1)])
    return Hits(tuple(Hit(page, fold) for page, fold, _ in rows), rows[0][2] if rows else 0)


def _unranked(filters: Filters) -> Order:
    return Order.TOPICALITY if filters.ordered is Order.BEST else filters.ordered


def _screen_query(chosen: Source, order: Order) -> tuple[str, tuple[object, ...]]:
    best = order is Order.BEST
    found = chosen.found
    rank = f", {found.rank} AS rank" if best and found.rank else ""
    ranked = f", {found.ranked}" if best and found.ranked else ""
    join = "LEFT JOIN ranked ON ranked.page_id = shown.page_id" if ranked else ""
    params = (*chosen.params, *(found.rank_params if ranked else ()))
    order_by = ORDERS[order].replace("rank,", "rank NULLS LAST,") if ranked else ORDERS[order]
    return f"""
        WITH hits AS (SELECT e.page_id, e.fold, e.topicality, e.status{rank} {chosen.sql})
        {ranked}, firsts AS (
            SELECT MIN(page_id) AS page_id FROM hits WHERE fold IS NOT NULL GROUP BY fold
        ), shown AS (
            SELECT * FROM hits WHERE fold IS NULL OR page_id IN (SELECT page_id FROM firsts)
        )
        SELECT shown.page_id, shown.fold, COUNT(*) OVER () FROM shown {join}
        ORDER BY {order_by} LIMIT %s OFFSET %s
        """, params


def count(scope: Scope, filters: Filters) -> int:
    """How many pages are found, near-duplicates counted each."""
    chosen = source(scope, filters, host_condition(filters), *facet_conditions(filters))
    return int(fetch(f"SELECT COUNT(*) {chosen.sql}", chosen.params)[0][0])


def found_pages(scope: Scope, filters: Filters) -> array[int]:
    """The numbers of the rows of all pages found, eight bytes each, by crawl and page number."""
    chosen = source(scope, filters, host_condition(filters), *facet_conditions(filters))
    rows = fetch(f"SELECT e.page_id {chosen.sql} ORDER BY e.crawl_id, e.seq", chosen.params)
    return array("q", (page for (page,) in rows))


@dataclass(frozen=True, slots=True)
class Others:
    """The near-duplicates of a page found: how many, and the first ten."""

    count: int
    pages: tuple[Page, ...]


def duplicates(scope: Scope, hits: Sequence[Hit]) -> dict[int, Others]:
    """By page found, what in the scope says the same, whatever the filters leave of it."""
    groups = {hit.fold: hit.page for hit in hits if hit.fold is not None}
    entries = Entry.objects.filter(fold__in=groups, crawl__in=scope.crawl_ids)
    others: dict[int, list[int]] = {}
    for page, fold in entries.order_by("page_id").values_list("page_id", "fold"):
        if page != groups[fold]:
            others.setdefault(groups[fold], []).append(page)
    shown = [page for pages in others.values() for page in pages[:DUPLICATES_SHOWN]]
    rows = Page.objects.in_bulk(shown)
    return {
        first: Others(len(pages), tuple(rows[page] for page in pages[:DUPLICATES_SHOWN]))
        for first, pages in others.items()
    }
