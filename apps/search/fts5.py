"""Clauses as queries of SQLite's FTS5, whose tables hold stems."""

from __future__ import annotations

from collections.abc import Iterable

from apps.search.query import FIELDS, Clause, Phrase


def all_matched(clauses: Iterable[Clause]) -> str:
    """The query for pages that have every clause."""
    return " AND ".join(map(matched, clauses))


def any_matched(clauses: Iterable[Clause]) -> str:
    """The query for pages that have any of the clauses."""
    return " OR ".join(map(matched, clauses))


def matched(clause: Clause) -> str:
    """The query for pages that have a phrase of the clause, those for addresses left out."""
    words = (phrase for phrase in clause.phrases if phrase.prefix not in FIELDS)
    return f"({' OR '.join(map(_phrase, words))})"


def _phrase(phrase: Phrase) -> str:
    column = f"{phrase.prefix} : " if phrase.prefix else ""
    if phrase.near is not None:
        return f"NEAR({_words(phrase)} {_words(phrase.near)}, {phrase.within})"
    return column + _words(phrase)


def _words(phrase: Phrase) -> str:
    return f'"{" ".join(phrase.words)}"{" *" if phrase.begins else ""}'
