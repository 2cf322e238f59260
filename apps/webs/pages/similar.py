"""Pages of a recorded web similar to one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.stored_pages.alike import pages_alike
from apps.stored_pages.page_text import PageText
from apps.webs.pages.filters import PageFilters
from apps.webs.pages.searching import FoundPage, PageIndex

SIMILAR = 20


@dataclass(frozen=True, slots=True)
class SimilarPages:
    """Pages with the most in common first, and by their numbers the words that each shares;
    `words` are those that were searched for."""

    pages: tuple[FoundPage, ...]
    shared: Mapping[int, tuple[str, ...]]
    words: tuple[str, ...]


def similar_pages(index: PageIndex, page: FoundPage, text: PageText) -> SimilarPages:
    """Up to twenty pages of the web, near-duplicates among them."""
    found = pages_alike(
        text, index.language, index.pages_with, index.count(PageFilters()), SIMILAR + 1
    )
    others = [number for number in found.pages if number != page.number][:SIMILAR]
    return SimilarPages(tuple(index.pages(others)), found.shared, found.words)
