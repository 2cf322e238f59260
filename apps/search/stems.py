"""Stemming for the index and for searches in it."""

from __future__ import annotations

from collections.abc import Callable

from apps.engine.representation.stemmers import stemmer


def stemming(language: str | None) -> Callable[[str], str]:
    """The stemmer of a language; a word whose stem would be empty (Porter's of `s`) is kept."""
    stem = stemmer(language)
    return lambda word: stem(word) or word
