"""Filters as SQL over `collection_entry e`, shared by the list, the counts and the downloads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import Q
from django.db.models.expressions import RawSQL

from apps.collection import full_text
from apps.collection.filters.catalogue import FILTERS
from apps.collection.filters.crawl import CRAWL
from apps.collection.filters.near import NEAR
from apps.collection.full_text import matching
from apps.collection.full_text.parts import Matching, QueryPart
from apps.collection.models import COUNTED_COLUMNS
from apps.collection.nearness import (
    Nearness,
    Similarities,
    pairs_of,
    rank_table,
    similarities,
)
from apps.collection.search import CollectionSearch
from apps.collection.shared_pages.same_page import one_row_a_page
from apps.collection.stored_counts import stored_count
from apps.search.filter import Counted, Filter
from apps.search.query import read_query, stemmed
from apps.search.sql import Condition, all_of, among, where
from apps.search.values import Grouped


@dataclass(frozen=True, slots=True)
class Tables:
    """The common table expressions of a search, and their parameters, for `full_text.fetch`.

    `candidates` are the pages that have the words and pass every filter without counts, with the
    columns that are counted; `in_choice` says whether they pass the counted filters, `in_host` and
    the like whether they pass one whose most frequent values are offered. `matched` are those that
    have the phrases too, `hits` those that pass every filter. If something is asked that pages are
    to be near to, `nearness` has the similarity of the nearest, and candidates are among them.
    """

    sql: str
    params: tuple[Any, ...]
    matching: Matching
    by_nearness: bool = False


COLUMNS = ("page_id", "crawl_id", "address", "fold", "topicality", "status", "published")


def counted_filters() -> list[Counted[Any]]:
    """The filters by columns with few values."""
    return [filter for filter in FILTERS if isinstance(filter, Counted)]


def counted_columns() -> tuple[str, ...]:
    """The distinct columns that these filters read, first those of the index in its order."""
    names = dict.fromkeys(name for f in counted_filters() for name in f.columns)
    return (
        *(name for name in COUNTED_COLUMNS if name in names),
        *(name for name in names if name not in COUNTED_COLUMNS),
    )


def grouped_filters() -> list[Grouped[Any]]:
    """The filters by columns with many values."""
    return [filter for filter in FILTERS if isinstance(filter, Grouped)]


def passing(*but: Grouped[Any]) -> str:
    """A condition on `matched`: it passes all of these filters but the named ones."""
    ids = {filter.id for filter in but}
    tests = (f"in_{f.id}" for f in grouped_filters() if f.id not in ids)
    return " AND ".join(tests) or "1 = 1"


def tables(search: CollectionSearch, thorough: bool = False) -> Tables:
    """The tables that the list, the counts and the downloads of a search read.

    Phrases are looked for in every candidate if `thorough`, else in `LOOKED_THROUGH`.
    """
    clauses = read_query(search.words, search.prefixes)
    pages = matching(stemmed(clauses, search.context.languages))
    near = _near_table(search)
    columns, wanted = _columns(search), _where(search, pages, near)
    # Without search words the indexes of the entries count faster than a copy of the rows.
    how = "MATERIALIZED" if search.words else "NOT MATERIALIZED"
    candidates = (
        f"candidates AS {how} (SELECT {columns.sql} FROM {pages.tables} WHERE {wanted.sql})"
    )
    params = (*near.params, *columns.params, *pages.table_params, *wanted.params)
    matched = _matched(pages, thorough)
    hits = f"hits AS NOT MATERIALIZED (SELECT * FROM matched WHERE {passing()} AND in_choice)"
    sql = ", ".join(filter(None, (near.sql, candidates, matched.sql, hits)))
    return Tables(sql, (*params, *matched.params), pages, bool(near.sql))


def fetch_parts(
    search: CollectionSearch, chosen: Tables, parts: Sequence[QueryPart]
) -> list[list[list[Any]]]:
    """The rows of each part, read over the tables of the search; where columns of the entries
    alone decide, they are stored until the entries change."""

    def fetch() -> list[list[list[Any]]]:
        return full_text.fetch(chosen.sql, chosen.params, parts)

    if search.words or not all(isinstance(f, Counted | Grouped) for f, _ in search.active()):
        return fetch()
    question = (chosen.sql, chosen.params, [(part.sql, part.params) for part in parts])
    return stored_count(search.context.topic.pk, question, fetch)


def _near_table(search: CollectionSearch) -> Condition:
    """The table of the nearest pages among those that all else lets pass, if any are asked for."""
    asked = search.of(NEAR)
    if asked == NEAR.nothing:
        return Condition("")
    memo, query = search.context.memo, replace(search, order="").query()
    if query not in memo:
        memo[query] = _nearest(search, asked)
    return Condition(rank_table(connection.vendor), (json.dumps(pairs_of(memo[query])),))


def similarity_of(search: CollectionSearch, pages: Iterable[int]) -> dict[int, float] | None:
    """The cosine of each of these pages with the search's query by meaning; None if it has none.
    Pages without a vector are omitted."""
    alike = _similarities(search) if search.of(NEAR) != NEAR.nothing else None
    if alike is None:
        return None
    wanted = np.isin(alike.keys, np.fromiter(pages, np.int64))
    cosines = zip(alike.keys[wanted].tolist(), alike.cosines[wanted].tolist(), strict=True)
    return dict(pairs_of(dict(cosines)))


def _similarities(search: CollectionSearch) -> Similarities | None:
    """Computed once for the pages that match and for their columns: every vector is read."""
    memo, asked = search.context.memo, search.of(NEAR)
    if asked not in memo:
        memo[asked] = similarities(search.context, asked)
    alike: Similarities | None = memo[asked]
    return alike


def _nearest(search: CollectionSearch, asked: Nearness) -> Mapping[int, float]:
    alike = _similarities(search)
    if alike is None:
        return {}
    others = tables(search.having(NEAR, NEAR.nothing), thorough=True)
    passing = QueryPart(("page_id",), "SELECT page_id FROM hits")
    (rows,) = full_text.fetch(others.sql, others.params, [passing])
    return alike.nearest([page for (page,) in rows], asked.most)


def passing_words(words: str, prefixes: Sequence[str], languages: Sequence[str | None]) -> Q:
    """A condition on crawls: they have a page with the words, as far as the index can decide."""
    pages = matching(stemmed(read_query(words, prefixes), languages))
    sql = f"SELECT e.crawl_id FROM {pages.tables} WHERE {pages.condition or '1 = 1'}"
    return Q(pk__in=RawSQL(sql, (*pages.table_params, *pages.params)))


def _columns(search: CollectionSearch) -> Condition:
    """The selected columns of candidates: columns of the entries, and which filters they pass."""
    grouped = grouped_filters()
    names = dict.fromkeys([*COLUMNS, *counted_columns(), *(f.column for f in grouped)])
    tests = {f"in_{f.id}": _test(search, f) for f in grouped}
    tests["in_choice"] = all_of(_test(search, f) for f in counted_filters())
    return Condition(
        ", ".join(
            [
                *(f"e.{name}" for name in names),
                *(f"{test.sql or '1 = 1'} AS {name}" for name, test in tests.items()),
            ]
        ),
        tuple(value for test in tests.values() for value in test.params),
    )


def _where(search: CollectionSearch, pages: Matching, near: Condition) -> Condition:
    uncounted = [f for f, _ in search.active() if not isinstance(f, Counted | Grouped)]
    return all_of(
        [
            among("e.crawl_id", search.context.crawl_ids),
            one_row_a_page(search.context.sets, "e"),
            Condition(pages.condition, pages.params),
            Condition("e.page_id IN (SELECT page_id FROM nearness)" if near.sql else ""),
            *(_test(search, f) for f in uncounted),
        ]
    )


def visits_condition(search: CollectionSearch) -> Condition:
    """FROM and WHERE of the entries `e` of the hits, in every searched crawl."""
    searched = search.context
    wanted = search.of(CRAWL).keys or searched.crawl_ids
    crawls = among("e.crawl_id", [pk for pk in searched.crawl_ids if pk in wanted])
    return Condition(
        "FROM hits JOIN collection_entry e ON e.topic_id = %s AND e.address = hits.address"
        f" WHERE {crawls.sql}",
        (searched.topic.pk, *crawls.params),
    )


def _test(search: CollectionSearch, filter: Filter[Any]) -> Condition:
    value = search.of(filter)
    if value == filter.nothing:
        return Condition("")
    return where(filter.within(search.context).condition(value), "e")


def _matched(pages: Matching, thorough: bool) -> Condition:
    """The common tables between candidates and hits."""
    if not pages.in_page:
        return Condition("matched AS NOT MATERIALIZED (SELECT * FROM candidates)")
    looked = (
        "candidates"
        if thorough
        else (
            f"(SELECT * FROM candidates ORDER BY {passing()} AND in_choice DESC,"
            f" topicality DESC NULLS LAST, page_id LIMIT {full_text.LOOKED_THROUGH})"
        )
    )
    return Condition(
        f"matched AS MATERIALIZED (SELECT * FROM {looked} AS c WHERE {pages.in_page})",
        pages.in_page_params,
    )
