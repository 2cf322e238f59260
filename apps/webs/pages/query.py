"""A search of a web's pages as SQL over its index."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.stored_pages.query_words import Clause, read_words
from apps.webs.pages.filters import (
    BELOW,
    INLINKS,
    MOST_WORDS,
    UNLABELLED,
    UNUSED,
    PageFilters,
)

WEIGHTS = "10.0, 1.0, 2.0"
"""The weights of title, text and address."""
_NAMED = re.compile(r'(?P<minus>[-−])?(?P<field>title|url):(?:"(?P<phrase>[^"]*)"|(?P<word>\S+))')


@dataclass(frozen=True, slots=True)
class Typed:
    """A parsed search: clauses over all of a page, and a full-text query.

    `match` finds pages, `avoid` those to exclude; both may be empty. `parts` are substrings that an
    address must (True) or must not (False) contain.
    """

    clauses: tuple[Clause, ...]
    match: str
    avoid: str
    parts: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """A SELECT of (page, rank) to be named `found`; the lower the rank, the better the match."""

    sql: str
    params: tuple[Any, ...]


def read_typed(text: str, language: str) -> Typed:
    """Parses words, "phrases", OR, −not, and `title:` or `url:` before a word or phrase."""
    anywhere = read_words(_NAMED.sub(" ", text), [language])
    wanted = [_match(clause) for clause in anywhere if not clause.excluded]
    unwanted = [_match(clause) for clause in anywhere if clause.excluded]
    parts = []
    for piece in _NAMED.finditer(text):
        value = piece["phrase"] or piece["word"] or ""
        if piece["field"] == "url":
            parts.append((value, not piece["minus"]))
            continue
        in_titles = [f"title : {_match(clause)}" for clause in read_words(value, [language])]
        (unwanted if piece["minus"] else wanted).extend(in_titles)
    return Typed(anywhere, " AND ".join(wanted), " OR ".join(unwanted), tuple(parts))


def condition(
    filters: PageFilters, language: str, without: str = "", ranked: bool = False
) -> Condition:
    """The pages of a search; `without` names a filter to ignore.

    The rank, which takes longest to compute, is 0 unless `ranked`.
    """
    typed = read_typed(filters.words, language)
    where, params = ["1"], []
    for sql, values in (
        _words(typed),
        *(_address(part, wanted) for part, wanted in typed.parts),
        _labels(filters.labels if without != "labels" else ()),
        _hosts(filters.hosts if without != "hosts" else ()),
        _length(filters) if without != "lengths" else ("", ()),
        _inlinks(filters.inlinks if without != "inlinks" else ()),
        _topics(filters.topics if without != "topics" else ()),
    ):
        if sql:
            where.append(sql)
            params += values
    if not typed.match:
        sql = f"SELECT number AS page, 0 AS rank FROM pages WHERE {' AND '.join(where)}"
        return Condition(sql, tuple(params))
    rank = f"bm25(page_words, {WEIGHTS})" if ranked else "0"
    return Condition(
        f"SELECT number AS page, {rank} AS rank"
        " FROM page_words CROSS JOIN pages ON pages.number = page_words.rowid"
        f" WHERE page_words MATCH ? AND {' AND '.join(where)}",
        (typed.match, *params),
    )


def _match(clause: Clause) -> str:
    return "(" + " OR ".join(f'"{" ".join(phrase)}"' for phrase in clause.stems) + ")"


def _words(typed: Typed) -> tuple[str, Sequence[Any]]:
    if not typed.avoid:
        return "", ()
    sql = "number NOT IN (SELECT rowid FROM page_words WHERE page_words MATCH ?)"
    return sql, (typed.avoid,)


def _address(part: str, wanted: bool) -> tuple[str, Sequence[Any]]:
    return f"(instr(lower(url), lower(?)) > 0) = {int(wanted)}", (part,)


def _labels(labels: Sequence[str]) -> tuple[str, Sequence[Any]]:
    named = [label for label in labels if label and not label.endswith(BELOW)]
    above = [label for label in labels if label.endswith(BELOW)]
    either = []
    if named or above:
        begins = ["substr(name || '/', 1, length(?)) = ?"] * len(above)
        which = " OR ".join([f"name IN ({_marks(named)})"] * bool(named) + begins)
        either.append(
            "number IN (SELECT page FROM labelled JOIN labels ON labels.number = label"
            f" WHERE {which})"
        )
    if UNLABELLED in labels:
        either.append("number NOT IN (SELECT page FROM labelled)")
    params = [*named, *(label for label in above for _ in range(2))]
    return (f"({' OR '.join(either)})" if either else ""), params


def _length(filters: PageFilters) -> tuple[str, Sequence[Any]]:
    if filters.words_from is None and filters.words_to is None:
        return "", ()
    most = MOST_WORDS if filters.words_to is None else filters.words_to
    return "words BETWEEN ? AND ?", (filters.words_from or 0, most)


def _hosts(hosts: Sequence[str]) -> tuple[str, Sequence[Any]]:
    return (f"host IN ({_marks(hosts)})" if hosts else ""), hosts


def _ranges(
    column: str, ranges: Mapping[str, tuple[int, int | None]], names: Sequence[str]
) -> tuple[str, Sequence[Any]]:
    either = [
        f"{column} BETWEEN {least} AND {most}" if most is not None else f"{column} >= {least}"
        for least, most in (ranges[name] for name in names)
    ]
    return (f"({' OR '.join(either)})" if either else ""), ()


def _inlinks(names: Sequence[str]) -> tuple[str, Sequence[Any]]:
    counts, _ = _ranges("inlinks", INLINKS, names)
    return (f"number IN (SELECT page FROM linked WHERE {counts})" if counts else ""), ()


def _topics(topics: Sequence[int]) -> tuple[str, Sequence[Any]]:
    named = [topic for topic in topics if topic != UNUSED]
    either = []
    if named:
        either.append(f"number IN (SELECT page FROM used WHERE topic IN ({_marks(named)}))")
    if UNUSED in topics:
        either.append("number NOT IN (SELECT page FROM used)")
    return (f"({' OR '.join(either)})" if either else ""), named


def _marks(values: Iterable[Any]) -> str:
    return ", ".join("?" for _ in values)
