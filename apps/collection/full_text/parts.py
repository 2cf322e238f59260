"""The rows of the full-text index, and the parts of a query over it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.db import connection

from apps.search.query import LONGEST_WORD, Clause, Phrase
from apps.search.sql import Condition

BATCH = 500
"""How many rows of an index are deleted in one transaction."""
MOST_POSITIONS = 16_000
"""How many words of a page are indexed; `tsvector` has no more positions."""


@dataclass(frozen=True, slots=True)
class PageWords:
    """The stems of one page."""

    page: int
    title: Sequence[str]
    text: Sequence[str]


@dataclass(frozen=True, slots=True)
class Matching:
    """Parts of a query over `collection_entry e` that finds the pages with the words.

    `tables` is its FROM, `condition` a part of its WHERE, each with its parameters. `in_page` is
    a condition on a page `c` that must hold as well if the index alone cannot decide. `ranks`
    selects `page_id` and `rank` of the pages of a table `best`; the lower the rank, the better the
    match.
    """

    tables: str = "collection_entry e"
    table_params: tuple[Any, ...] = ()
    condition: str = ""
    params: tuple[Any, ...] = ()
    in_page: str = ""
    in_page_params: tuple[Any, ...] = ()
    ranks: str = ""
    rank_params: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class QueryPart:
    """A SELECT and the names of its columns."""

    columns: tuple[str, ...]
    sql: str
    params: tuple[Any, ...] = ()


class FullTextIndex(Protocol):
    """The operations of the index that differ by database; the functions of `full_text` explain
    them."""

    def write(self, pages: Iterable[PageWords]) -> None: ...
    def matching(self, wanted: Sequence[Clause], unwanted: Sequence[Clause]) -> Matching: ...
    def lacking(self, unwanted: Sequence[Clause]) -> Matching: ...
    def with_words(self, clause: Clause) -> Condition: ...
    def row(self, sql: str, params: Sequence[Any]) -> tuple[Any, ...]: ...
    def as_json(self, part: QueryPart) -> str: ...
    def pages_with(self, stem: str, most: int) -> list[int]: ...
    def indexed(self, pages: Sequence[int]) -> list[int]: ...
    def among(self, pages: str) -> str: ...
    def forget_lost(self) -> bool: ...
    def begin_anew(self) -> None: ...
    def delete_replaced(self) -> None: ...


def keys_of(sql: str, pages: Sequence[int]) -> list[int]:
    """The first column of the rows of these pages."""
    if not pages:
        return []
    with connection.cursor() as cursor:
        cursor.execute(sql.format(", ".join(["%s"] * len(pages))), list(pages))
        return [key for (key,) in cursor.fetchall()]


def stem_clause(stem: str) -> Clause:
    """The clause that a page with this word satisfies."""
    return Clause((Phrase((stem,)),))


def indexed_words(words: Sequence[str]) -> list[str]:
    """The words of a page by position, empty where a word is too long for the index."""
    return [word if len(word) <= LONGEST_WORD else "" for word in words[:MOST_POSITIONS]]
