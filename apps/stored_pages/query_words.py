"""The language of the search box: words, "phrases", −excluded words, and OR between
alternatives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from apps.engine.parsing.words import words
from apps.stored_pages.stems import stemming

MOST_CLAUSES = 16
LONGEST_WORD = 60
_PIECE = re.compile(r'(?P<minus>[-−](?=\S))?(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))')


@dataclass(frozen=True, slots=True)
class Clause:
    """Words that must be adjacent in a page, or (`excluded`) must not be.

    `stems` holds the phrase once for each stemming language of the collection.
    """

    stems: tuple[tuple[str, ...], ...]
    excluded: bool = False


def read_words(text: str, languages: Iterable[str | None]) -> tuple[Clause, ...]:
    """The clauses of a search, all of which a page must satisfy; empty for an empty search.

    A word that the tokenizer would split, such as `well-known`, is a phrase. `OR` between two of
    them makes one clause that either satisfies; anywhere else it is ignored. A word longer than
    those of the index is in no page.
    """
    stems = [stemming(language) for language in dict.fromkeys(languages)] or [stemming(None)]
    clauses: list[Clause] = []
    either = False
    for piece in _PIECE.finditer(text):
        phrase = words(piece["phrase"] if piece["phrase"] is not None else piece["word"])
        kept = [word for word in phrase if len(word) <= LONGEST_WORD] or phrase
        if piece.group() == "OR":
            either = True
        elif kept:
            clause = Clause(_stemmed(kept, stems), bool(piece["minus"]))
            if either and clauses and clause.excluded == clauses[-1].excluded is False:
                clause = Clause(clauses.pop().stems + clause.stems)
            clauses.append(clause)
            either = False
    return tuple(clauses[:MOST_CLAUSES])


def _stemmed(
    phrase: Sequence[str], stems: Sequence[Callable[[str], str]]
) -> tuple[tuple[str, ...], ...]:
    return tuple(dict.fromkeys(tuple(map(stem, phrase)) for stem in stems))
