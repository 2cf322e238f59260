"""The words of pages, stemmed by their language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from apps.begin.sentences import COMMON, content_words
from apps.engine.parsing.words import words
from apps.search.stems import stemming

MOST_TERMS = 600
LONGEST = 40


@lru_cache(maxsize=32)
def _stemming(language: str) -> Callable[[str], str]:
    return lru_cache(maxsize=50_000)(stemming(language or None))


def stem(word: str, language: str) -> str:
    """The stem of a lower-case word; the word itself where the language has no stemmer."""
    return _stemming(language)(word)


def term_counts(text: str) -> dict[str, int]:
    """How often each word occurs that is not common everywhere; the most frequent ones."""
    counts = Counter(
        word
        for word in words(text)
        if 2 <= len(word) <= LONGEST and not word.isdigit() and word not in COMMON
    )
    return dict(counts.most_common(MOST_TERMS))


def stem_counts(terms: Mapping[str, int], language: str) -> Counter[str]:
    """The counts by stem."""
    counts: Counter[str] = Counter()
    for word, count in terms.items():
        counts[stem(word, language)] += count
    return counts


def stems_in(text: str, languages: Sequence[str]) -> list[str]:
    """The stems of a text's words in each of the languages, each once."""
    listed = content_words(text)
    return list(dict.fromkeys(stem(w, each) for each in languages or [""] for w in listed))
