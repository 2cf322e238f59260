"""Words as they stand in the index and are looked for there."""

from __future__ import annotations

from collections.abc import Callable

from apps.engine.representation.tokens import stemmer


def stemming(language: str | None) -> Callable[[str], str]:
    """What makes stems by a language's rules; a word of which nothing would be left (Porter's of
    `s`) stays."""
    stem = stemmer(language)
    return lambda word: stem(word) or word
