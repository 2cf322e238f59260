"""Pages of a recorded web similar to one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.stored_pages.alike import pages_alike
from apps.stored_pages.page_text import VisibleText
from apps.webs.pages.search import PageSearch
from apps.webs.pages.searching import PageIndex, WebPage

SIMILAR = 20


@dataclass(frozen=True, slots=True)
class SimilarPages:
    """Pages with the most in common first, and by their numbers the words that each shares;
    `words` are those that were searched for."""

    pages: tuple[WebPage, ...]
    shared: Mapping[int, tuple[str, ...]]
    words: tuple[str, ...]


def similar_pages(index: PageIndex, page: WebPage, text: VisibleText) -> SimilarPages:
    """Up to twenty pages of the web, near-duplicates among them."""
    alike = pages_alike(
        text, index.language, index.pages_with, index.count(PageSearch()), SIMILAR + 1
    )
    others = [number for number in alike.pages if number != page.number][:SIMILAR]
    return SimilarPages(tuple(index.pages(others)), alike.shared, alike.words)
