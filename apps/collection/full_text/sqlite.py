"""The index in SQLite: a contentless FTS5 table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection

from apps.collection.full_text.parts import (
    BATCH,
    Matching,
    PageWords,
    QueryPart,
    indexed_words,
    keys_of,
    stem_clause,
)
from apps.search.fts5 import all_matched, any_matched, matched
from apps.search.query import Clause
from apps.search.sql import Condition

REPLACED = "collection_words_replaced"
FTS5_STRUCTURE = 10
"""The last row of FTS5's data that describes the others, without which it cannot be dropped."""


class SqliteIndex:
    """The index, read and written by cursors."""

    def write(self, pages: Iterable[PageWords]) -> None:
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO collection_words (rowid, title, text) VALUES (%s, %s, %s)",
                [
                    (p.page, " ".join(indexed_words(p.title)), " ".join(indexed_words(p.text)))
                    for p in pages
                ],
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
            cursor.execute(sql, [matched(stem_clause(stem)), most])
            return [page for (page,) in cursor.fetchall()]

    def indexed(self, pages: Sequence[int]) -> list[int]:
        return keys_of("SELECT id FROM collection_words_docsize WHERE id IN ({})", pages)

    def among(self, pages: str) -> str:
        return f"SELECT 1 FROM collection_words_docsize WHERE id IN ({pages})"

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
