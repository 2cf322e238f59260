"""Full-text search of the pages, for SQLite and PostgreSQL behind the same functions.

Both hold the same stems, made by the engine, so that both find the same pages; words of titles
count ten times. SQLite has a contentless FTS5 table ranked by BM25, PostgreSQL `tsvector` rows with
a GIN index ranked by `ts_rank`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from django.db import connection

from apps.collection.full_text.parts import FullTextIndex, Matching, PageWords, QueryPart
from apps.collection.full_text.postgresql import PostgresqlIndex
from apps.collection.full_text.sqlite import SqliteIndex
from apps.search.fields import PageColumns, field_conditions
from apps.search.query import FIELDS, Clause
from apps.search.sql import Condition, all_of, any_of

RANKED = 1_000
"""Ranking a page means reading all its words, so only so many are ranked, the most topical ones."""
LOOKED_THROUGH = 5_000
"""PostgreSQL's index has neither positions nor titles: a phrase, or a word of titles, is looked for
in each page that has its words, in at most so many; those that pass the filters come first, then
the most topical."""

COLUMNS = PageColumns("p.final_url", "p.host", "e.language", "e.published")


def write_words(pages: Iterable[PageWords]) -> None:
    """Adds pages to the index; none of them may be in it yet."""
    _backend().write(pages)


def matching(clauses: Sequence[Clause]) -> Matching:
    """The query for the pages that satisfy all clauses, by stems; without clauses, for all
    pages."""
    words = [clause for clause in clauses if not clause.in_fields]
    addresses = all_of(_in_fields(clause) for clause in clauses if clause.in_fields)
    matching = _with_words(words)
    condition = all_of([Condition(matching.condition, matching.params), addresses])
    return replace(matching, condition=condition.sql, params=condition.params)


def _with_words(clauses: Sequence[Clause]) -> Matching:
    wanted = [clause for clause in clauses if not clause.excluded]
    unwanted = [clause for clause in clauses if clause.excluded]
    if wanted:
        return _backend().matching(wanted, unwanted)
    return _backend().lacking(unwanted) if unwanted else Matching()


def _in_fields(clause: Clause) -> Condition:
    """Pages with a phrase of the clause in their columns, or among their words if it has both."""
    url = any_of(field_conditions(clause, COLUMNS))
    page = f"EXISTS (SELECT 1 FROM crawls_page p WHERE p.id = e.page_id AND ({url.sql}))"
    ways = [Condition(page, url.params)]
    if any(phrase.prefix not in FIELDS for phrase in clause.phrases):
        words = _backend().with_words(clause)
        ways.append(Condition(f"e.page_id IN ({words.sql})", words.params))
    either = any_of(ways)
    return Condition(f"NOT ({either.sql})", either.params) if clause.excluded else either


def fetch(tables: str, params: Sequence[Any], parts: Sequence[QueryPart]) -> list[list[list[Any]]]:
    """The rows of each part, read over the same common tables in one statement.

    Booleans come as the database returns them, 0 and 1 or False and True.
    """
    backend = _backend()
    columns = ", ".join(f"({backend.as_json(part)})" for part in parts)
    every = [*params, *(param for part in parts for param in part.params)]
    return [json.loads(rows) for rows in backend.row(f"WITH {tables} SELECT {columns}", every)]


def pages_with(stem: str, most: int) -> list[int]:
    """The keys of pages of all crawls that have a word, at most `most` of them."""
    return _backend().pages_with(stem, most)


def pages_without_words(pages: Sequence[int]) -> set[int]:
    """The pages among these that are not in the index."""
    return set(pages) - set(_backend().indexed(pages))


def forget_lost_pages() -> bool:
    """Deletes the words of pages that no longer exist, some hundred pages a transaction; returns
    whether the index has to be made anew.

    FTS5 can only delete words that it is given again, so SQLite's index has to be made anew once
    half of it belongs to deleted pages.
    """
    return _backend().forget_lost()


def has_hidden_pages() -> bool:
    """Whether the index has words of pages that are taken down."""
    hidden = "SELECT id FROM crawls_page WHERE hidden"
    return bool(_backend().row(f"SELECT EXISTS ({_backend().among(hidden)})", [])[0])


def begin_anew() -> None:
    """Replaces the index by an empty one, in the caller's transaction."""
    _backend().begin_anew()


def delete_replaced() -> None:
    """Deletes an index that was replaced, if there is one, a part of it a transaction."""
    _backend().delete_replaced()


def _backend() -> FullTextIndex:
    return PostgresqlIndex() if connection.vendor == "postgresql" else SqliteIndex()
