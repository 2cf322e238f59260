"""Pages similar to one: those that share its characteristic words.

The words of the page's title and its most frequent ones, without stop words, are weighted by
tf·idf; pages with the strongest of them are ranked by the sum of their idf. Near-duplicates of the
page are left out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from apps.collection.models import Entry, Progress
from apps.collection.same_page import shown_entries
from apps.collection.scope import Scope
from apps.collection.search import pages_with
from apps.collection.selectors import Hit
from apps.crawls.models import Page
from apps.engine.parsing.words import words
from apps.engine.representation.stop_words import STOP_WORDS
from apps.stored_pages.page_text import PageText
from apps.stored_pages.stems import stemming

ASKED = 20
KEPT = 6
COMMON = 3_000
"""A word that more pages of all collections have is too common, and is left out."""
SIMILAR = 20
TITLE = 3


@dataclass(frozen=True, slots=True)
class Similar:
    """Pages with the most in common first, each with the words it shares; `words` are those that
    were searched for."""

    hits: tuple[Hit, ...]
    shared: Mapping[int, tuple[str, ...]]
    words: tuple[str, ...]


def similar_pages(scope: Scope, page: Page, text: PageText) -> Similar:
    """Up to twenty pages of the scope, near-duplicates folded."""
    written = _speaking_words(page, text)
    having = {
        stem: found
        for stem in written
        if 1 < len(found := pages_with(stem, COMMON + 1)) <= COMMON
    }
    all_pages = sum(crawl.pages for crawl in scope.crawls)
    idf = {stem: math.log1p(all_pages / len(found)) for stem, found in having.items()}
    strongest = sorted(idf, key=lambda stem: -written[stem][1] * idf[stem])[:KEPT]
    weights, shared = Counter[int](), dict[int, tuple[str, ...]]()
    for stem in strongest:
        for other in having[stem]:
            weights[other] += idf[stem]
            shared[other] = (*shared.get(other, ()), written[stem][0])
    best = sorted(weights, key=lambda other: (-weights[other], other))[: 25 * SIMILAR]
    names = tuple(written[stem][0] for stem in strongest)
    return Similar(_folded(scope, page, best), shared, names)


def _speaking_words(page: Page, text: PageText) -> dict[str, tuple[str, int]]:
    """Words by stem, as they are written, and how often; those of the title count three times."""
    progress = Progress.objects.filter(crawl=page.crawl_id).first()
    language = progress.language if progress else None
    stem, stopped = stemming(language or None), STOP_WORDS.get(language or "", frozenset())
    title = words(text.title or page.title)
    counts, named = Counter(words(text.text)) + Counter(TITLE * title), {*map(stem, title)}
    stems: dict[str, tuple[str, int]] = {}
    for word, number in counts.most_common():
        if len(word) > 2 and word not in stopped and not word.isdigit():
            first, before = stems.get(stem(word), (word, 0))
            stems[stem(word)] = (first, before + number)
    ordered = sorted(stems.items(), key=lambda item: (item[0] not in named, -item[1][1]))
    return dict(ordered[:ASKED])


def _folded(scope: Scope, page: Page, best: list[int]) -> tuple[Hit, ...]:
    """The first page of each group of near-duplicates in the scope, without the page's own
    group."""
    shown = shown_entries(scope.sets).filter(page_id__in=best)
    folds = dict(shown.values_list("page_id", "fold"))
    own = Entry.objects.filter(page_id=page.pk).values_list("fold", flat=True).first()
    seen, hits = {page.pk, own or page.pk}, list[Hit]()
    for other in best:
        group = folds.get(other) or other
        if other in folds and other not in seen and group not in seen:
            seen |= {other, group}
            hits.append(Hit(other, folds[other]))
    return tuple(hits[:SIMILAR])
