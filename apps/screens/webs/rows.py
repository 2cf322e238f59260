"""The rows of a web's pages, with search words marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from apps.engine.networking.webs.virtual_web import Web as EngineWeb
from apps.main_text.fast import fast_text
from apps.search.languages import language_name
from apps.search.query import read_query
from apps.stored_pages.page_text import page_text
from apps.stored_pages.snippets import Snippets
from apps.webs.pages.filters.label import LABEL
from apps.webs.pages.search import PageSearch
from apps.webs.pages.searching import WebPage

BEGINNING = 160


@dataclass(frozen=True, slots=True)
class WebPageRow:
    """The content of `webs/page_row.html`; `title` and `snippet` are HTML.

    Each of `labels` comes with the query string that adds it to the present filters; `language` is
    a name.
    """

    page: WebPage
    title: SafeString
    snippet: SafeString
    labels: tuple[tuple[str, str], ...]
    language: str = ""


def page_rows(
    web: EngineWeb, search: PageSearch, pages: Sequence[WebPage], language: str
) -> list[WebPageRow]:
    """The rows of some pages, in their order."""
    snippets = Snippets(read_query(search.words, search.prefixes), language)
    return [
        WebPageRow(
            page,
            snippets.marked(page.title),
            _snippet(web, page, snippets),
            tuple((label, _with(search, label)) for label in page.labels),
            language_name(page.language),
        )
        for page in pages
    ]


def _snippet(web: EngineWeb, page: WebPage, snippets: Snippets) -> SafeString:
    """The words around the search words in the main text, else in the whole text; without any the
    beginning of the main text."""
    answer = web.get(page.url)
    text = fast_text(answer)
    if snippet := snippets.snippet(text):
        return snippet
    if snippets.are_sought or not text:
        whole = page_text(answer).text
        text = text or whole
        if (snippet := snippets.snippet(whole)) or not text:
            return snippet
    beginning = text[:BEGINNING].rpartition(" ")[0] if len(text) > BEGINNING else text
    more = SafeString("\u2009…" if len(beginning) < len(text) else "")
    return Snippets((), None).marked(beginning) + more


def _with(search: PageSearch, label: str) -> str:
    labels = tuple(dict.fromkeys((*search.of(LABEL), label)))
    return search.having(LABEL, labels).query()
