"""Pages of a collection similar to one, near-duplicates folded and its own left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.collection.full_text import pages_with
from apps.collection.models import Entry, Progress
from apps.collection.search import CollectionSearch
from apps.collection.selectors import Hit
from apps.collection.shared_pages.same_page import shown_entries
from apps.crawls.models import Page
from apps.stored_pages.alike import pages_alike
from apps.stored_pages.page_text import VisibleText

SIMILAR = 20


@dataclass(frozen=True, slots=True)
class Similar:
    """Pages with the most in common first, each with the words it shares; `words` are those that
    were searched for."""

    hits: tuple[Hit, ...]
    shared: Mapping[int, tuple[str, ...]]
    words: tuple[str, ...]


def similar_pages(search: CollectionSearch, page: Page, text: VisibleText) -> Similar:
    """Up to twenty pages of the collection."""
    progress = Progress.objects.filter(crawl=page.crawl_id).first()
    alike = pages_alike(
        VisibleText(text.title or page.title, text.text),
        progress.language if progress else None,
        pages_with,
        sum(crawl.pages for crawl in search.context.crawls),
        25 * SIMILAR,
    )
    return Similar(_folded(search, page, alike.pages), alike.shared, alike.words)


def _folded(search: CollectionSearch, page: Page, best: Sequence[int]) -> tuple[Hit, ...]:
    """The first page of each group of near-duplicates in the crawls, without the page's own
    group."""
    shown = shown_entries(search.context.sets).filter(page_id__in=best)
    folds = dict(shown.values_list("page_id", "fold"))
    own = Entry.objects.filter(page_id=page.pk).values_list("fold", flat=True).first()
    seen, hits = {page.pk, own or page.pk}, list[Hit]()
    for other in best:
        group = folds.get(other) or other
        if other in folds and other not in seen and group not in seen:
            seen |= {other, group}
            hits.append(Hit(other, folds[other]))
    return tuple(hits[:SIMILAR])
