"""The index of words, once for each kind of database, behind the same few functions.

Both hold the same stems, cut and stemmed by the engine, so that both find the same pages; titles
count ten times. SQLite has a contentless FTS5 table ranked by BM25, PostgreSQL `tsvector` rows
with a GIN index ranked by `ts_rank`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction

from apps.collection.query_words import LONGEST_WORD, Clause

MOST_POSITIONS = 16_000
"""Words of a page that are indexed; `tsvector` counts positions no further."""
RANKED = 5_000
"""PostgreSQL reads every vector that it ranks: of more pages the most topical are ranked."""

WEIGHTS = "'{0.1, 0.2, 0.4, 1.0}'::float4[]"
"""Of the words of text (D) and title (A), as `ts_rank` takes them."""


@dataclass(frozen=True, slots=True)
class PageWords:
    """The stems of one page."""

    page: int
    title: Sequence[str]
    text: Sequence[str]


@dataclass(frozen=True, slots=True)
class Matching:
    """Pieces of a query over `collection_entry e` that keeps the pages with the words.

    `tables` is its FROM, `condition` a part of its WHERE, each with its parameters. `rank` is a
    further column of the rows found, `ranked` a further common table over `hits` with `page_id`
    and `rank`; the lower the rank, the better the match.
    """

    tables: str = "collection_entry e"
    table_params: tuple[Any, ...] = ()
    condition: str = ""
    params: tuple[Any, ...] = ()
    rank: str = ""
    ranked: str = ""
    rank_params: tuple[Any, ...] = ()


def write_words(pages: Iterable[PageWords]) -> None:
    """Takes pages into the index; none of them may be there yet."""
    _backend().write(pages)


def matching(clauses: Sequence[Clause]) -> Matching:
    """How to find the pages that satisfy all clauses; everything where there are none."""
    wanted = [clause for clause in clauses if not clause.excluded]
    unwanted = [clause for clause in clauses if clause.excluded]
    if wanted:
        return _backend().found(wanted, unwanted)
    if unwanted:
        return _backend().not_found(unwanted)
    return Matching()


def fetch(sql: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The rows of a query over the pages found."""
    return _backend().fetch(sql, params)


def forget_lost_pages() -> bool:
    """Drops the words of pages that are no longer there; whether all words are gone now.

    FTS5 can forget single words only where it is told them again, so SQLite's index is emptied
    once half of it is of lost pages; the caller has it made anew.
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
            # CROSS keeps the order: asking the index about each page by itself takes for ever.
            tables="collection_words CROSS JOIN collection_entry e"
            " ON e.page_id = collection_words.rowid",
            condition="collection_words MATCH %s",
            params=(query,),
            rank="bm25(collection_words, 10.0, 1.0)",
        )

    def fetch(self, sql: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(sql, params)
            return cursor.fetchall()

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
        query = " & ".join(map(self._clause, wanted))
        query += "".join(f" & !{self._clause(clause)}" for clause in unwanted)
        return Matching(
            tables="collection_matches(%s::tsquery) AS m JOIN collection_entry e USING (page_id)",
            table_params=(query,),
            ranked=f"""ranked AS (
                SELECT w.page_id, -ts_rank({WEIGHTS}, w.words, %s::tsquery) AS rank
                FROM collection_words w JOIN (
                    SELECT page_id FROM hits ORDER BY topicality DESC NULLS LAST, page_id
                    LIMIT {RANKED}
                ) AS best ON best.page_id = w.page_id
            )""",
            rank_params=(query,),
        )

    def fetch(self, sql: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
        with transaction.atomic(), connection.cursor() as cursor:
            # Of a common word the planner expects a few pages, and would go through all pairs.
            cursor.execute("SET LOCAL enable_nestloop = off; SET LOCAL work_mem = '32MB'")
            cursor.execute(sql, params)
            return cursor.fetchall()

    def not_found(self, unwanted: Sequence[Clause]) -> Matching:
        return Matching(
            condition="e.page_id NOT IN (SELECT page_id FROM collection_matches(%s::tsquery))",
            params=(" | ".join(map(self._clause, unwanted)),),
        )

    def forget_lost(self) -> bool:
        with connection.cursor() as cursor:
            cursor.execute(
                "DELETE FROM collection_words AS w WHERE NOT EXISTS"
                " (SELECT 1 FROM collection_entry AS e WHERE e.page_id = w.page_id)"
            )
        return False

    def _clause(self, clause: Clause) -> str:
        phrases = (" <-> ".join(f"'{word}'" for word in phrase) for phrase in clause.stems)
        return "(" + " | ".join(phrases) + ")"


def _backend() -> _Sqlite | _Postgres:
    return _Postgres() if connection.vendor == "postgresql" else _Sqlite()


def _kept(words: Sequence[str]) -> list[str]:
    return [word if len(word) <= LONGEST_WORD else "" for word in words[:MOST_POSITIONS]]


def _vector(words: Sequence[str]) -> str:
    """A tsvector's text: `'seagrass':1,7 'meadow':2`. Words are letters and digits only."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(_kept(words), start=1):
        places.setdefault(word, []).append(place)
    places.pop("", None)
    return " ".join(f"'{word}':{','.join(map(str, at))}" for word, at in places.items())
