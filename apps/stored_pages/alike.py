"""Pages alike: those that share the words a page speaks of and few others have.

The words of a page's title and its most frequent ones, without stop words, are weighted by tf·idf;
pages with the strongest of them are ranked by the sum of their idf.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from apps.engine.parsing.words import words
from apps.engine.representation.stop_words import STOP_WORDS
from apps.engine.representation.tokens import Vocabulary
from apps.search.stems import stemming
from apps.stored_pages.page_text import VisibleText

ASKED = 20
KEPT = 6
COMMON = 3_000
"""A word that more pages of an index have is too common, and is left out."""
TITLE = 3

PagesWith = Callable[[str, int], Collection[int]]


@dataclass(frozen=True, slots=True)
class Alike:
    """Pages by their keys, those with the most in common first, and the words that each shares;
    `words` are those that were searched for."""

    pages: tuple[int, ...]
    shared: Mapping[int, tuple[str, ...]]
    words: tuple[str, ...]


def pages_alike(
    page: VisibleText, languages: str | None, pages_with: PagesWith, all_pages: int, most: int
) -> Alike:
    """At most `most` pages, the page itself and its copies among them. `languages` are the codes of
    those that pages are stemmed in, each in its own; `pages_with` has the keys of pages with a
    stem, at most so many; `all_pages` is their number."""
    written = _speaking_words(page, languages)
    having = {
        stem: pages for stem in written if 1 < len(pages := pages_with(stem, COMMON + 1)) <= COMMON
    }
    idf = {stem: math.log1p(all_pages / len(pages)) for stem, pages in having.items()}
    strongest = sorted(idf, key=lambda stem: -written[stem][1] * idf[stem])[:KEPT]
    weights: defaultdict[int, float] = defaultdict(float)
    shared: dict[int, tuple[str, ...]] = {}
    for stem in strongest:
        for other in having[stem]:
            weights[other] += idf[stem]
            shared[other] = (*shared.get(other, ()), written[stem][0])
    best = sorted(weights, key=lambda other: (-weights[other], other))[:most]
    return Alike(tuple(best), shared, tuple(written[stem][0] for stem in strongest))


def _speaking_words(page: VisibleText, languages: str | None) -> dict[str, tuple[str, int]]:
    """Words by stem, as they are written, and how often; those of the title count three times."""
    title, body = words(page.title), words(page.text)
    language = Vocabulary(languages).language_of(body)
    stem, stopped = stemming(language), STOP_WORDS.get(language or "", frozenset())
    counts, named = Counter(body) + Counter(TITLE * title), {*map(stem, title)}
    stems: dict[str, tuple[str, int]] = {}
    for word, number in counts.most_common():
        if len(word) > 2 and word not in stopped and not word.isdigit():
            first, before = stems.get(stem(word), (word, 0))
            stems[stem(word)] = (first, before + number)
    ordered = sorted(stems.items(), key=lambda item: (item[0] not in named, -item[1][1]))
    return dict(ordered[:ASKED])
