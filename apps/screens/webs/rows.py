"""The rows of a web's pages, with search words marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from apps.engine.networking.virtual_web import Web as EngineWeb
from apps.stored_pages.page_text import page_text
from apps.stored_pages.query_words import read_words
from apps.stored_pages.snippets import Snippets
from apps.webs.pages.filters import PageFilters
from apps.webs.pages.query import read_typed
from apps.webs.pages.searching import FoundPage

BEGINNING = 160


@dataclass(frozen=True, slots=True)
class PageRow:
    """The content of `webs/page_row.html`; `title` and `snippet` are HTML.

    Each of `labels` comes with the query string that adds it to the present filters.
    """

    page: FoundPage
    title: SafeString
    snippet: SafeString
    labels: tuple[tuple[str, str], ...]


def page_rows(
    web: EngineWeb, filters: PageFilters, pages: Sequence[FoundPage], language: str
) -> list[PageRow]:
    """The rows of some pages, in their order."""
    found = Snippets(read_typed(filters.words, language).clauses, language)
    titles = Snippets(read_words(filters.words.replace("title:", " "), [language]), language)
    return [
        PageRow(page, titles.marked(page.title), _snippet(web, page, found),
                tuple((label, _with(filters, label)) for label in page.labels))
        for page in pages
    ]  # fmt: skip


def _snippet(web: EngineWeb, page: FoundPage, found: Snippets) -> SafeString:
    """The words around the search words, else the beginning of the page."""
    text = page_text(web.get(page.url)).text
    snippet = found.snippet(text)
    if snippet or not text:
        return snippet
    beginning = text[:BEGINNING].rpartition(" ")[0] if len(text) > BEGINNING else text
    more = SafeString("\u2009…" if len(beginning) < len(text) else "")
    return Snippets((), None).marked(beginning) + more


def _with(filters: PageFilters, label: str) -> str:
    return filters.query(labels=tuple(dict.fromkeys((*filters.labels, label))))
