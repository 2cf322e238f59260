"""Full-text search of the pages, for SQLite and PostgreSQL behind the same functions.

Both hold the same stems, made by the engine, so that both find the same pages; words of titles
count ten times. SQLite has a contentless FTS5 table ranked by BM25, PostgreSQL `tsvector` rows with
a GIN index ranked by `ts_rank`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction

from apps.stored_pages.query_words import LONGEST_WORD, Clause

MOST_POSITIONS = 16_000
"""How many words of a page are indexed; `tsvector` has no more positions."""
RANKED = 1_000
"""Ranking a page means reading all its words, so only so many are ranked, the most topical ones."""
LOOKED_THROUGH = 5_000
"""PostgreSQL's index has no positions: a phrase is looked for in each page that has its words, in
at most so many; those that pass the filters come first, then the most topical."""

WEIGHTS = "'{0.1, 0.2, 0.4, 1.0}'::float4[]"
"""The weights of words in text (D) and title (A), in the form of `ts_rank`."""


@dataclass(frozen=True, slots=True)
class PageWords:
    """The stems of one page."""

    page: int
    title: Sequence[str]
    text: Sequence[str]


@dataclass(frozen=True, slots=True)
class Matching:
    """Parts of a query over `collection_entry e` that finds the pages with the words.

    `tables` is its FROM, `condition` a part of its WHERE, each with its parameters. `places` is a
    condition on a page `c` that must hold as well if the index alone cannot decide. `ranks` selects
    `page_id` and `rank` of the pages of a table `best`; the lower the rank, the better the match.
    """

    tables: str = "collection_entry e"
    table_params: tuple[Any, ...] = ()
    condition: str = ""
    params: tuple[Any, ...] = ()
    places: str = ""
    place_params: tuple[Any, ...] = ()
    ranks: str = ""
    rank_params: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A SELECT and the names of its columns."""

    columns: tuple[str, ...]
    sql: str
    params: tuple[Any, ...] = ()


def write_words(pages: Iterable[PageWords]) -> None:
    """Adds pages to the index; none of them may be in it yet."""
    _backend().write(pages)


def matching(clauses: Sequence[Clause]) -> Matching:
    """The query for the pages that satisfy all clauses; without clauses, for all pages."""
    wanted = [clause for clause in clauses if not clause.excluded]
    unwanted = [clause for clause in clauses if clause.excluded]
    if wanted:
        return _backend().found(wanted, unwanted)
    if unwanted:
        return _backend().not_found(unwanted)
    return Matching()


def fetch(tables: str, params: Sequence[Any], parts: Sequence[Part]) -> list[list[list[Any]]]:
    """The rows of each part, read over the same common tables in one statement.

    Booleans come as the database returns them, 0 and 1 or False and True.
    """
    backend = _backend()
    columns = ", ".join(f"({backend.as_json(part)})" for part in parts)
    every = [*params, *(param for part in parts for param in part.params)]
    return [json.loads(found) for found in backend.row(f"WITH {tables} SELECT {columns}", every)]


def pages_with(stem: str, most: int) -> list[int]:
    """The keys of pages of all crawls that have a word, at most `most` of them."""
    return _backend().pages_with(stem, most)


def forget_lost_pages() -> bool:
    """Deletes the words of pages that no longer exist; returns whether the whole index is empty
    now.

    FTS5 can only delete words that it is given again, so SQLite's index is emptied once half of it
    belongs to deleted pages; the caller must rebuild it.
    """
    return _backend().forget_lost()


class _Sqlite:
    def write(self, pages: Iterable[PageWords]) -> None:
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO collection_words (rowid, title, text) VALUES (%s, %s, %s)",
                [(p.page, " ".join(_kept(p.title)), " ".join(_kept(p.text))) for p in pages],
            )

    def found(self, wanted: Sequence[Clause], unwanted: Sequence[Clause]) -> Matching:
        query = " AND ".join(map(self._clause, wanted))
        query += "".join(f" NOT {self._clause(clause)}" for clause in unwanted)
        return Matching(
            # CROSS fixes the join order: querying the index for each page separately is far too
            # slow.
            tables="collection_words CROSS JOIN collection_entry e"
            " ON e.page_id = collection_words.rowid",
            condition="collection_words MATCH %s",
            params=(query,),
            ranks="SELECT best.page_id AS page_id, bm25(collection_words, 10.0, 1.0) AS rank"
            " FROM collection_words CROSS JOIN best ON best.page_id = collection_words.rowid"
            " WHERE collection_words MATCH %s",
            rank_params=(query,),
        )

    def row(self, sql: str, params: Sequence[Any]) -> tuple[Any, ...]:
        with connection.cursor() as cursor:
            cursor.execute(sql, params)
            return cursor.fetchone()

    def as_json(self, part: Part) -> str:
        return (
            f"SELECT json_group_array(json_array({', '.join(part.columns)})) FROM ({part.sql})"
        )

    def pages_with(self, stem: str, most: int) -> list[int]:
        sql = "SELECT rowid FROM collection_words WHERE collection_words MATCH %s LIMIT %s"
        with connection.cursor() as cursor:
            cursor.execute(sql, [self._clause(Clause(((stem,),))), most])
            return [page for (page,) in cursor.fetchall()]

    def not_found(self, unwanted: Sequence[Clause]) -> Matching:
        return Matching(
            condition="e.page_id NOT IN"
            " (SELECT rowid FROM collection_words WHERE collection_words MATCH %s)",
            params=(" OR ".join(map(self._clause, unwanted)),),
        )

    def forget_lost(self) -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM collection_words_docsize")
            (all_pages,) = cursor.fetchone()
            cursor.execute(
                "SELECT COUNT(*) FROM collection_words_docsize"
                " WHERE id NOT IN (SELECT page_id FROM collection_entry)"
            )
            (lost,) = cursor.fetchone()
            if not lost or 2 * lost < all_pages:
                return False
            cursor.execute("INSERT INTO collection_words(collection_words) VALUES ('delete-all')")
            return True

    def _clause(self, clause: Clause) -> str:
        return "(" + " OR ".join(f'"{" ".join(phrase)}"' for phrase in clause.stems) + ")"


class _Postgres:
    def write(self, pages: Iterable[PageWords]) -> None:
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO collection_words (page_id, words)"
                " VALUES (%s, setweight(%s::tsvector, 'A') || %s::tsvector)"
                " ON CONFLICT (page_id) DO UPDATE SET words = excluded.words",
                [(p.page, _vector(p.title), _vector(p.text)) for p in pages],
            )

    def found(self, wanted: Sequence[Clause], unwanted: Sequence[Clause]) -> Matching:
        excluded = "".join(f" & !{self._clause(clause)}" for clause in unwanted)
        query = " & ".join(map(self._clause, wanted)) + excluded
        phrases = _has_phrase([*wanted, *unwanted])
        known = " & ".join(self._clause(clause, " & ") for clause in wanted)
        return Matching(
            tables="collection_matches(%s::tsquery) AS m JOIN collection_entry e USING (page_id)",
            table_params=(known if phrases else query,),
            places=f"COALESCE({_HAS}, FALSE)" if phrases else "",
            place_params=(query,) if phrases else (),
            ranks=f"SELECT page_id, (SELECT -ts_rank({WEIGHTS}, w.words, %s::tsquery)"
            " FROM collection_words w WHERE w.page_id = best.page_id) AS rank FROM best",
            rank_params=(query,),
        )

    def row(self, sql: str, params: Sequence[Any]) -> tuple[Any, ...]:
        with transaction.atomic(), connection.cursor() as cursor:
            # The planner underestimates the pages of a common word and would choose a nested loop.
            # Compilation costs more than it saves.
            cursor.execute(
                "SET LOCAL enable_nestloop = off; SET LOCAL work_mem = '32MB'; SET LOCAL jit = off"
            )
            cursor.execute(sql, params)
            return cursor.fetchone()

    def as_json(self, part: Part) -> str:
        values = f"json_agg(json_build_array({', '.join(part.columns)}))"
        return f"SELECT COALESCE({values}, '[]')::text FROM ({part.sql}) AS part"

    def pages_with(self, stem: str, most: int) -> list[int]:
        sql = "SELECT page_id FROM collection_words WHERE words @@ %s::tsquery LIMIT %s"
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")  # reading every vector is slowest
            cursor.execute(sql, [self._clause(Clause(((stem,),))), most])
            return [page for (page,) in cursor.fetchall()]

    def not_found(self, unwanted: Sequence[Clause]) -> Matching:
        query = " | ".join(map(self._clause, unwanted))
        if _has_phrase(unwanted):
            return Matching(places=f"NOT COALESCE({_HAS}, FALSE)", place_params=(query,))
        return Matching(
            condition="e.page_id NOT IN (SELECT page_id FROM collection_matches(%s::tsquery))",
            params=(query,),
        )

    def forget_lost(self) -> bool:
        with connection.cursor() as cursor:
            cursor.execute(
                "DELETE FROM collection_words AS w WHERE NOT EXISTS"
                " (SELECT 1 FROM collection_entry AS e WHERE e.page_id = w.page_id)"
            )
        return False

    def _clause(self, clause: Clause, between: str = " <-> ") -> str:
        phrases = (
            "(" + between.join(f"'{word}'" for word in phrase) + ")" for phrase in clause.stems
        )
        return "(" + " | ".join(phrases) + ")"


_HAS = "(SELECT w.words @@ %s::tsquery FROM collection_words w WHERE w.page_id = c.page_id)"


def _has_phrase(clauses: Iterable[Clause]) -> bool:
    return any(len(phrase) > 1 for clause in clauses for phrase in clause.stems)


def _backend() -> _Sqlite | _Postgres:
    return _Postgres() if connection.vendor == "postgresql" else _Sqlite()


def _kept(words: Sequence[str]) -> list[str]:
    return [word if len(word) <= LONGEST_WORD else "" for word in words[:MOST_POSITIONS]]


def _vector(words: Sequence[str]) -> str:
    """The text of a tsvector: `'seagrass':1,7 'meadow':2`. Words are letters and digits only."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(_kept(words), start=1):
        places.setdefault(word, []).append(place)
    places.pop("", None)
    return " ".join(f"'{word}':{','.join(map(str, at))}" for word, at in places.items())
