"""Words that stand beside the given ones in the gathered pages, and their other forms."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from apps.begin.page_words import LONGEST, stem
from apps.begin.sentences import COMMON
from apps.engine.parsing.words import words

WINDOW = 12
"""Words on either side."""
LEAST = 3
"""Occurrences beside the word, on two pages at least."""
SHORTEST = 4
READ = 2_000
"""Words of a page that are read."""

Page = tuple[str, str]
"""PageTerms and language."""


def kin_of(word: str, pages: Sequence[Page], removed: Sequence[str], most: int = 4) -> list[str]:
    """The kin of a word or phrase, the closest first: forms of it and compounds with it, then the
    words that are more frequent beside it than elsewhere (log-likelihood of both counts)."""
    beside: Counter[str] = Counter()
    everywhere: Counter[str] = Counter()
    pages_beside: Counter[str] = Counter()
    forms: Counter[str] = Counter()
    phrase = words(word)
    for text, language in pages:
        listed = words(text)[:READ]
        near = _near(listed, phrase, language)
        counted = Counter(listed[i] for i in near if _is_content(listed[i]))
        beside += counted
        pages_beside.update(counted.keys())
        everywhere.update(filter(_is_content, listed))
        forms.update(w for w in listed if _is_form(w, phrase))
    dropped = {each.lower() for each in removed} | set(phrase)
    ranked = _ranked(beside, everywhere, pages_beside)
    listed_kin = [w for w, _ in forms.most_common()] + ranked
    return [w for w in dict.fromkeys(listed_kin) if w not in dropped][:most]


def _near(listed: Sequence[str], phrase: Sequence[str], language: str) -> list[int]:
    """The positions within a window around the phrase, its own words left out."""
    wanted = [stem(w, language) for w in phrase]
    stems = [stem(w, language) for w in listed]
    size = len(wanted)
    if not size:
        return []
    starts = [i for i in range(len(stems) - size + 1) if stems[i : i + size] == wanted]
    inside = {i + k for i in starts for k in range(size)}
    near = {
        k for i in starts for k in range(max(0, i - WINDOW), min(len(listed), i + size + WINDOW))
    }
    return sorted(near - inside)


def _ranked(beside: Counter[str], everywhere: Counter[str], pages: Counter[str]) -> list[str]:
    total, total_beside = everywhere.total(), beside.total()
    if not total_beside or total == total_beside:
        return []
    scores = {}
    for word, count in beside.items():
        expected = everywhere[word] * total_beside / total
        if count >= LEAST and pages[word] >= 2 and count > expected:
            scores[word] = count * math.log(count / expected)
    return sorted(scores, key=lambda w: (-scores[w], w))


def _is_form(word: str, phrase: Sequence[str]) -> bool:
    """Whether the word is a compound with the one word of the phrase, or begins with it."""
    if len(phrase) != 1 or len(phrase[0]) < SHORTEST or word == phrase[0]:
        return False
    return phrase[0] in word and len(word) <= LONGEST


def _is_content(word: str) -> bool:
    return SHORTEST <= len(word) <= LONGEST and word not in COMMON and not word.isdigit()
