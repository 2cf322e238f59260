"""Detects the languages of texts by their stop words.

Languages are ISO 639-1 codes; several are written with spaces between them, the main one first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from apps.engine.representation.stop_words import STOP_WORDS

LEAST_STOP_WORD_SHARE = 0.12
LEAST_SHARE_OF_TEXTS = 0.2
MOST_LANGUAGES = 3


def detect_languages(texts: Sequence[Sequence[str]]) -> str | None:
    """The language of the texts together (`detect_language`), and others of which a fifth of the
    texts are, at most three in all."""
    main = detect_language(texts)
    if main is None:
        return None
    languages = Counter(detect_language([text]) for text in texts)
    enough = LEAST_SHARE_OF_TEXTS * len(texts)
    codes = [code for code, count in languages.most_common() if code and count >= enough]
    return " ".join(list(dict.fromkeys([main, *codes]))[:MOST_LANGUAGES])


def detect_language(texts: Iterable[Sequence[str]]) -> str | None:
    """The ISO 639-1 code of the language with the largest share of stop words in the texts.

    None if no language's stop words reach 12 % of the words (running text has 35–50 %), so that
    lists of names, tables and languages without a stop list are not stemmed.
    """
    counts: Counter[str] = Counter()
    for words in texts:
        counts.update(words)
    total = sum(counts.values())
    shares = {
        language: sum(counts[word] for word in stop_words) / max(total, 1)
        for language, stop_words in STOP_WORDS.items()
    }
    best = max(shares, key=lambda language: shares[language])
    return best if shares[best] >= LEAST_STOP_WORD_SHARE else None
