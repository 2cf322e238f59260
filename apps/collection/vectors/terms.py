"""The terms of a text that count for its vector."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from apps.engine.parsing.words import words
from apps.engine.representation.stop_words import STOP_WORDS
from apps.search.stems import stemming

SHORTEST, LONGEST = 2, 40
LEAST_OF_A_NAME = 3


@lru_cache(maxsize=200_000)
def _term(word: str, language: str, stemmed_in: str) -> str:
    """The stem of a word, itself without a language to stem in; empty if it does not count."""
    is_term = SHORTEST <= len(word) <= LONGEST and not word.isdigit()
    if not is_term or word in STOP_WORDS.get(language, frozenset()):
        return ""
    return stemming(stemmed_in)(word) if stemmed_in else word


def terms_of(text: str, language: str, stemmed_in: Sequence[str] = ()) -> list[str]:
    """The terms of a text in a language, stemmed if that is one of `stemmed_in`, in order."""
    stem = language if language in stemmed_in else ""
    return [term for word in words(text) if (term := _term(word, language, stem))]


def words_by_stem(text: str, language: str) -> dict[str, str]:
    """The words of a text that can name a cluster, by their stems: three letters or more, no stop
    words, no numbers."""
    code = language if language in STOP_WORDS else ""
    return {
        stem: word
        for word in words(text)
        if len(word) >= LEAST_OF_A_NAME and not any(map(str.isdigit, word))
        if (stem := _term(word, language, code))
    }


def terms_of_query(text: str, languages: Sequence[str]) -> list[str]:
    """The terms of typed words, which may be of any of these languages, each once."""
    read = [*terms_of(text, "")]
    read += [term for code in languages for term in terms_of(text, code, languages)]
    stops = [word for word in words(text) if any(word in STOP_WORDS.get(c, ()) for c in languages)]
    return [*dict.fromkeys(term for term in read if term not in stops)]
