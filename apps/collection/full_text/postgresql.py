"""The index in PostgreSQL: rows of `tsvector` under a GIN index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, transaction

from apps.collection.full_text.parts import (
    BATCH,
    Matching,
    PageWords,
    QueryPart,
    indexed_words,
    keys_of,
    stem_clause,
)
from apps.search.query import FIELDS, TITLE, Clause, Phrase
from apps.search.sql import Condition

WEIGHTS = "'{0.1, 0.2, 0.4, 1.0}'::float4[]"
"""The weights of words in text (D) and title (A), in the form of `ts_rank`."""

_HAS = "(SELECT w.words @@ %s::tsquery FROM collection_words w WHERE w.page_id = c.page_id)"


class PostgresqlIndex:
    """The index, read and written by cursors."""

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
            cursor.execute("SET LOCAL enable_nestloop = off; SET LOCAL work_mem = '32MB'")
            cursor.execute(sql, params)
            row: tuple[Any, ...] = cursor.fetchone()
            return row

    def as_json(self, part: QueryPart) -> str:
        values = f"json_agg(json_build_array({', '.join(part.columns)}))"
        return f"SELECT COALESCE({values}, '[]')::text FROM ({part.sql}) AS part"

    def pages_with(self, stem: str, most: int) -> list[int]:
        # Reading every vector is slowest. Statements sent together are one transaction, in which
        # alone the setting holds.
        sql = (
            "SET LOCAL enable_seqscan = off;"
            " SELECT page_id FROM collection_words WHERE words @@ %s::tsquery LIMIT %s"
        )
        with connection.cursor() as cursor:
            cursor.execute(sql, [_tsquery(stem_clause(stem)), most])
            cursor.nextset()
            return [page for (page,) in cursor.fetchall()]

    def indexed(self, pages: Sequence[int]) -> list[int]:
        return keys_of("SELECT page_id FROM collection_words WHERE page_id IN ({})", pages)

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

    def among(self, pages: str) -> str:
        return f"SELECT 1 FROM collection_words WHERE page_id IN ({pages})"

    def begin_anew(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("TRUNCATE collection_words")

    def delete_replaced(self) -> None:
        return

    def with_words(self, clause: Clause) -> Condition:
        return Condition("SELECT page_id FROM collection_matches(%s::tsquery)", (_tsquery(clause),))


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


def _needs_vectors(clauses: Iterable[Clause]) -> bool:
    """Whether the pages' own vectors must be read: the index has neither positions nor titles."""
    phrases = [phrase for clause in clauses for phrase in clause.phrases]
    return any(
        len(phrase.words) > 1 or phrase.prefix == TITLE or phrase.near is not None
        for phrase in phrases
    )


def _vector(words: Sequence[str]) -> str:
    """The text of a tsvector: `'seagrass':1,7 'meadow':2`. Words are letters and digits only."""
    positions: dict[str, list[int]] = {}
    for position, word in enumerate(indexed_words(words), start=1):
        positions.setdefault(word, []).append(position)
    positions.pop("", None)
    return " ".join(f"'{word}':{','.join(map(str, at))}" for word, at in positions.items())
