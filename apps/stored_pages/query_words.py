"""What a person types into the search box: words, "phrases in quotes", words left out with −,
OR between two of which one is enough."""

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
    """Words that must stand side by side in a page, or (`excluded`) must not.

    `stems` holds the phrase once for each language its collection is stemmed by.
    """

    stems: tuple[tuple[str, ...], ...]
    excluded: bool = False


def read_words(text: str, languages: Iterable[str | None]) -> tuple[Clause, ...]:
    """The clauses of a search; a page must satisfy all. Empty where nothing is searched for.

    A word that the page's words would be cut at, as in `well-known`, is a phrase. `OR` between two
    of them makes one clause that either satisfies; between others it is nothing.
    """
    stems = [stemming(language) for language in dict.fromkeys(languages)] or [stemming(None)]
    clauses: list[Clause] = []
    either = False
    for piece in _PIECE.finditer(text):
        phrase = words(piece["phrase"] if piece["phrase"] is not None else piece["word"])
        kept = [word for word in phrase if len(word) <= LONGEST_WORD]
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
