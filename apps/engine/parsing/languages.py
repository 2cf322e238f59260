"""The languages of a text, by py3langid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

LEAST_LETTERS = 20
"""A text with fewer letters has no language."""
PIECE = 200
"""Characters that are judged together: a single sentence is mistaken more often."""
NO_LANGUAGE = "zxx"
MOST_PIECES = 10
LEAST_SHARE, LEAST_PIECES = 0.15, 2
"""Smaller parts than these are mistakes, names or quotations."""


def languages(paragraphs: Sequence[str]) -> tuple[tuple[str, float], ...]:
    """The languages of a text with their shares, the largest first; empty for too short a text."""
    text = " ".join(paragraphs)
    if sum(map(str.isalpha, text)) < LEAST_LETTERS:
        return ()
    lengths, numbers = Counter[str](), Counter[str]()
    for piece in _spread(list(_pieces(paragraphs))):
        if (code := _language(piece)) != NO_LANGUAGE:
            lengths[code] += len(piece)
            numbers[code] += 1
    ordered = [code for code, _ in lengths.most_common()]
    least = LEAST_SHARE * lengths.total()
    large = [c for c in ordered if numbers[c] >= LEAST_PIECES and lengths[c] >= least]
    chosen = dict.fromkeys([*ordered[:1], *large])
    total = sum(lengths[code] for code in chosen)
    return tuple((code, round(lengths[code] / total, 2)) for code in chosen)


def _language(text: str) -> str:
    import py3langid

    return str(py3langid.classify(text)[0])


def _pieces(paragraphs: Sequence[str]) -> Iterator[str]:
    """Paragraphs, short ones joined until they are long enough."""
    waiting = ""
    for paragraph in paragraphs:
        waiting = f"{waiting} {paragraph}" if waiting else paragraph
        if len(waiting) >= 2 * PIECE:
            # Two pieces, since a single one may be a mistake: of a page of one long paragraph in
            # each of two languages the second would be dropped.
            yield waiting[:PIECE]
            yield waiting[PIECE : 2 * PIECE]
            waiting = ""
        elif len(waiting) >= PIECE:
            yield waiting
            waiting = ""
    if waiting:
        yield waiting


def _spread(pieces: list[str]) -> list[str]:
    """At most `MOST_PIECES`, from all over the text."""
    step = -(-len(pieces) // MOST_PIECES)
    return pieces[::step]
