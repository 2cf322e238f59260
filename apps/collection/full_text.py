"""Full-text search of the pages, for SQLite and PostgreSQL behind the same functions.

Both hold the same stems, made by the engine, so that both find the same pages; words of titles
count ten times. SQLite has a contentless FTS5 table ranked by BM25, PostgreSQL `tsvector` rows with
a GIN index ranked by `ts_rank`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import connection, transaction

from apps.search.fields import PageColumns, field_conditions
from apps.search.fts5 import all_matched, any_matched, matched
from apps.search.query import FIELDS, LONGEST_WORD, TITLE, Clause, Phrase
from apps.search.sql import Condition, all_of, any_of

REPLACED = "collection_words_replaced"
# Rows of an index that are deleted in one transaction.
BATCH = 500
# The last row of FTS5's data that describes the others, without which it cannot be dropped.
FTS5_STRUCTURE = 10
MOST_POSITIONS = 16_000
"""How many words of a page are indexed; `tsvector` has no more positions."""
RANKED = 1_000
"""Ranking a page means reading all its words, so only so many are ranked, the most topical ones."""
LOOKED_THROUGH = 5_000
"""PostgreSQL's index has neither positions nor titles: a phrase, or a word of titles, is looked for
in each page that has its words, in at most so many; those that pass the filters come first, then
the most topical."""

COLUMNS = PageColumns("p.final_url", "p.host", "e.language", "e.published")

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
    """Those of these pages that are not in the index."""
    return set(pages) - set(_backend().indexed(pages))


def forget_lost_pages() -> bool:
    """Deletes the words of pages that no longer exist, some hundred pages a transaction; returns
    whether the index has to be made anew.

    FTS5 can only delete words that it is given again, so SQLite's index has to be made anew once
    half of it belongs to deleted pages.
    """
    return _backend().forget_lost()


def begin_anew() -> None:
    """Replaces the index by an empty one, in the caller's transaction."""
    _backend().begin_anew()


def delete_replaced() -> None:
    """Deletes an index that was replaced, if there is one, a part of it a transaction."""
    _backend().delete_replaced()


class _Sqlite:
    def write(self, pages: Iterable[PageWords]) -> None:
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO collection_words (rowid, title, text) VALUES (%s, %s, %s)",
                [(p.page, " ".join(_indexed(p.title)), " ".join(_indexed(p.text))) for p in pages],
            )

    def matching(self, wanted: Sequence[Clause], unwanted: Sequence[Clause]) -> Matching:
        query = all_matched(wanted) + "".join(f" NOT {matched(clause)}" for clause in unwanted)
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
            row: tuple[Any, ...] = cursor.fetchone()
            return row

    def as_json(self, part: QueryPart) -> str:
        return f"SELECT json_group_array(json_array({', '.join(part.columns)})) FROM ({part.sql})"

    def pages_with(self, stem: str, most: int) -> list[int]:
        sql = "SELECT rowid FROM collection_words WHERE collection_words MATCH %s LIMIT %s"
        with connection.cursor() as cursor:
            cursor.execute(sql, [matched(_stem_clause(stem)), most])
            return [page for (page,) in cursor.fetchall()]

    def indexed(self, pages: Sequence[int]) -> list[int]:
        return _keys("SELECT id FROM collection_words_docsize WHERE id IN ({})", pages)

    def lacking(self, unwanted: Sequence[Clause]) -> Matching:
        return Matching(
            condition="e.page_id NOT IN"
            " (SELECT rowid FROM collection_words WHERE collection_words MATCH %s)",
            params=(any_matched(unwanted),),
        )

    def with_words(self, clause: Clause) -> Condition:
        return Condition(
            "SELECT rowid FROM collection_words WHERE collection_words MATCH %s",
            (matched(clause),),
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
            return bool(lost) and 2 * lost >= all_pages

    def begin_anew(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT sql FROM sqlite_master WHERE name = 'collection_words'")
            (create,) = cursor.fetchone()
            cursor.execute(f"ALTER TABLE collection_words RENAME TO {REPLACED}")
            cursor.execute(create)

    def delete_replaced(self) -> None:
        # Dropping a large table in one statement would lock the database for its whole length.
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM sqlite_master WHERE name = %s", [REPLACED])
            if cursor.fetchone() is None:
                return
            for part, above in (("data", FTS5_STRUCTURE), ("docsize", 0)):
                table = f"{REPLACED}_{part}"
                some = f"SELECT id FROM {table} WHERE id > {above} LIMIT {BATCH}"
                cursor.execute(f"DELETE FROM {table} WHERE id IN ({some})")
                while cursor.rowcount:
                    cursor.execute(f"DELETE FROM {table} WHERE id IN ({some})")
            cursor.execute(f"DROP TABLE {REPLACED}")


class _Postgres:
    def write(self, pages: Iterable[PageWords]) -> None:
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO collection_words (page_id, words)"
                " VALUES (%s, setweight(%s::tsvector, 'A') || %s::tsvector)"
                " ON CONFLICT (page_id) DO UPDATE SET words = excluded.words",
                [(p.page, _vector(p.title), _vector(p.text)) for p in pages],
            )

    def matching(self, wanted: Sequence[Clause], unwanted: Sequence[Clause]) -> Matching:
        excluded = "".join(f" & !{_tsquery(clause)}" for clause in unwanted)
        query = " & ".join(map(_tsquery, wanted)) + excluded
        is_read = _needs_vectors([*wanted, *unwanted])
        indexed = " & ".join(_tsquery(clause, indexed=True) for clause in wanted)
        return Matching(
            tables="collection_matches(%s::tsquery) AS m JOIN collection_entry e USING (page_id)",
            table_params=(indexed if is_read else query,),
            in_page=f"COALESCE({_HAS}, FALSE)" if is_read else "",
            in_page_params=(query,) if is_read else (),
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
            row: tuple[Any, ...] = cursor.fetchone()
            return row

    def as_json(self, part: QueryPart) -> str:
        values = f"json_agg(json_build_array({', '.join(part.columns)}))"
        return f"SELECT COALESCE({values}, '[]')::text FROM ({part.sql}) AS part"

    def pages_with(self, stem: str, most: int) -> list[int]:
        sql = "SELECT page_id FROM collection_words WHERE words @@ %s::tsquery LIMIT %s"
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")  # reading every vector is slowest
            cursor.execute(sql, [_tsquery(_stem_clause(stem)), most])
            return [page for (page,) in cursor.fetchall()]

    def indexed(self, pages: Sequence[int]) -> list[int]:
        return _keys("SELECT page_id FROM collection_words WHERE page_id IN ({})", pages)

    def lacking(self, unwanted: Sequence[Clause]) -> Matching:
        query = " | ".join(map(_tsquery, unwanted))
        if _needs_vectors(unwanted):
            return Matching(in_page=f"NOT COALESCE({_HAS}, FALSE)", in_page_params=(query,))
        return Matching(
            condition="e.page_id NOT IN (SELECT page_id FROM collection_matches(%s::tsquery))",
            params=(query,),
        )

    def forget_lost(self) -> bool:
        some = (
            "SELECT w.page_id FROM collection_words AS w WHERE NOT EXISTS"
            f" (SELECT 1 FROM collection_entry AS e WHERE e.page_id = w.page_id) LIMIT {BATCH}"
        )
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM collection_words WHERE page_id IN ({some})")
            while cursor.rowcount:
                cursor.execute(f"DELETE FROM collection_words WHERE page_id IN ({some})")
        return False

    def begin_anew(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("TRUNCATE collection_words")

    def delete_replaced(self) -> None:
        return

    def with_words(self, clause: Clause) -> Condition:
        return Condition("SELECT page_id FROM collection_matches(%s::tsquery)", (_tsquery(clause),))


def _keys(sql: str, pages: Sequence[int]) -> list[int]:
    """The first column of the rows of these pages."""
    if not pages:
        return []
    with connection.cursor() as cursor:
        cursor.execute(sql.format(", ".join(["%s"] * len(pages))), list(pages))
        return [key for (key,) in cursor.fetchall()]


def _tsquery(clause: Clause, indexed: bool = False) -> str:
    """PostgreSQL's query for pages with a phrase of the clause; `indexed` for pages with its words
    wherever they stand, which the index alone decides."""
    words = (phrase for phrase in clause.phrases if phrase.prefix not in FIELDS)
    return f"({' | '.join(_tsphrase(phrase, indexed) for phrase in words)})"


def _tsphrase(phrase: Phrase, indexed: bool) -> str:
    if phrase.near is None:
        return _tswords(phrase, indexed)
    one, other = _tswords(phrase, indexed), _tswords(phrase.near, indexed)
    if indexed:
        return f"({one} & {other})"
    # tsquery knows exact distances only.
    apart = range(1, phrase.within + 2)
    ways = (f"{a} <{words}> {b}" for a, b in ((one, other), (other, one)) for words in apart)
    return f"({' | '.join(ways)})"


def _tswords(phrase: Phrase, indexed: bool) -> str:
    title = "A" if phrase.prefix == TITLE and not indexed else ""
    marks = [title] * len(phrase.words)
    marks[-1] = f"{'*' if phrase.begins else ''}{title}"
    words = (
        f"'{word}'{mark and ':'}{mark}" for word, mark in zip(phrase.words, marks, strict=True)
    )
    return f"({(' & ' if indexed else ' <-> ').join(words)})"


_HAS = "(SELECT w.words @@ %s::tsquery FROM collection_words w WHERE w.page_id = c.page_id)"


def _needs_vectors(clauses: Iterable[Clause]) -> bool:
    """Whether the pages' own vectors must be read: the index has neither positions nor titles."""
    phrases = [phrase for clause in clauses for phrase in clause.phrases]
    return any(
        len(phrase.words) > 1 or phrase.prefix == TITLE or phrase.near is not None
        for phrase in phrases
    )


def _stem_clause(stem: str) -> Clause:
    return Clause((Phrase((stem,)),))


def _backend() -> _Sqlite | _Postgres:
    return _Postgres() if connection.vendor == "postgresql" else _Sqlite()


def _indexed(words: Sequence[str]) -> list[str]:
    return [word if len(word) <= LONGEST_WORD else "" for word in words[:MOST_POSITIONS]]


def _vector(words: Sequence[str]) -> str:
    """The text of a tsvector: `'seagrass':1,7 'meadow':2`. Words are letters and digits only."""
    positions: dict[str, list[int]] = {}
    for position, word in enumerate(_indexed(words), start=1):
        positions.setdefault(word, []).append(position)
    positions.pop("", None)
    return " ".join(f"'{word}':{','.join(map(str, at))}" for word, at in positions.items())
