"""Filters as SQL over `collection_entry e`, shared by the list, the counts and the downloads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from apps.collection import search
from apps.collection.filters.catalogue import FILTERS
from apps.collection.filters.crawl import CRAWL
from apps.collection.filters.filter import Condition, Counted, Filter, all_of, among
from apps.collection.filters.query import Filters
from apps.collection.filters.values import MostFrequent
from apps.collection.same_page import represented
from apps.collection.scope import Scope
from apps.collection.search import Matching, matching
from apps.stored_pages.query_words import read_words


@dataclass(frozen=True, slots=True)
class Tables:
    """The common table expressions of a search, and their parameters, for `search.fetch`.

    `candidates` are the pages that have the words and pass every filter without counts, with the
    columns that are counted; `in_choice` says whether they pass the counted filters, `in_host` and
    the like whether they pass one whose most frequent values are offered. `matched` are those that
    have the phrases too, `hits` those that pass every filter.
    """

    sql: str
    params: tuple[Any, ...]
    found: Matching


COLUMNS = ("page_id", "crawl_id", "address", "fold", "topicality", "status")


def counted_filters() -> list[Counted[Any]]:
    """The filters by columns with few values."""
    return [filter for filter in FILTERS if isinstance(filter, Counted)]


def counted_columns() -> tuple[str, ...]:
    """The distinct columns that these filters read."""
    return tuple(dict.fromkeys(name for f in counted_filters() for name in f.columns))


def most_frequent_filters() -> list[MostFrequent[Any]]:
    """The filters by columns with too many values to offer all."""
    return [filter for filter in FILTERS if isinstance(filter, MostFrequent)]


def passing(*but: MostFrequent[Any]) -> str:
    """A condition on `matched`: it passes all of these filters except those named."""
    return " AND ".join(f"in_{f.id}" for f in most_frequent_filters() if f not in but) or "1 = 1"


def tables(scope: Scope, filters: Filters, thorough: bool = False) -> Tables:
    """The tables that the list, the counts and the downloads of a search read.

    Phrases are looked for in every candidate if `thorough`, else in `LOOKED_THROUGH`.
    """
    found = matching(read_words(filters.words, scope.languages))
    columns, where = _columns(scope, filters), _where(scope, filters, found)
    # Without search words the indexes of the entries count faster than a copy of the rows.
    how = "MATERIALIZED" if filters.words else "NOT MATERIALIZED"
    candidates = (
        f"candidates AS {how} (SELECT {columns.sql} FROM {found.tables} WHERE {where.sql})"
    )
    params = (*columns.params, *found.table_params, *where.params)
    matched = _matched(found, thorough)
    hits = f"hits AS NOT MATERIALIZED (SELECT * FROM matched WHERE {passing()} AND in_choice)"
    return Tables(f"{candidates}, {matched.sql}, {hits}", (*params, *matched.params), found)


def _columns(scope: Scope, filters: Filters) -> Condition:
    """The selected columns of candidates: columns of the entries, and which filters they pass."""
    most_frequent = most_frequent_filters()
    names = dict.fromkeys([*COLUMNS, *counted_columns(), *(f.column for f in most_frequent)])
    tests = {f"in_{f.id}": _asked(scope, filters, f) for f in most_frequent}
    tests["in_choice"] = all_of(_asked(scope, filters, f) for f in counted_filters())
    return Condition(
        ", ".join([*(f"e.{name}" for name in names),
                   *(f"{test.sql or '1 = 1'} AS {name}" for name, test in tests.items())]),
        tuple(value for test in tests.values() for value in test.params),
    )  # fmt: skip


def _where(scope: Scope, filters: Filters, found: Matching) -> Condition:
    uncounted = [f for f, _ in filters.active() if not isinstance(f, Counted | MostFrequent)]
    return all_of([
        among("e.crawl_id", scope.crawl_ids),
        *_one_row_a_page(scope),
        Condition(found.condition, found.params),
        *(_asked(scope, filters, f) for f in uncounted),
    ])  # fmt: skip


def _one_row_a_page(scope: Scope) -> list[Condition]:
    """Keeps only the newest entry of a page that several crawls have fetched."""
    return [
        Condition(f"NOT (e.crawl_id = %s AND {sets.sql})", (crawl, *sets.params))
        for crawl, keys in represented(scope.sets).items()
        for sets in [among("e.crawl_set", keys)]
    ]


def visits_condition(scope: Scope, filters: Filters) -> Condition:
    """FROM and WHERE of the entries `e` of the hits, in every crawl of the scope."""
    wanted = filters.of(CRAWL).keys or scope.crawl_ids
    crawls = among("e.crawl_id", [pk for pk in scope.crawl_ids if pk in wanted])
    return Condition(
        "FROM hits JOIN collection_entry e ON e.topic_id = %s AND e.address = hits.address"
        f" WHERE {crawls.sql}", (scope.topic.pk, *crawls.params),
    )


def _asked(scope: Scope, filters: Filters, filter: Filter[Any]) -> Condition:
    value = filters.of(filter)
    return Condition("") if value == filter.nothing else filter.condition(value, scope)


def _matched(found: Matching, thorough: bool) -> Condition:
    """The common tables between candidates and hits."""
    if not found.places:
        return Condition("matched AS NOT MATERIALIZED (SELECT * FROM candidates)")
    looked = "candidates" if thorough else (
        f"(SELECT * FROM candidates ORDER BY {passing()} AND in_choice DESC,"
        f" topicality DESC NULLS LAST, page_id LIMIT {search.LOOKED_THROUGH})"
    )
    return Condition(
        f"matched AS MATERIALIZED (SELECT * FROM {looked} AS c WHERE {found.places})",
        found.place_params,
    )
