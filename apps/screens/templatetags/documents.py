"""Documents among the collected pages: their kind and their number of pages."""

from __future__ import annotations

from django import template

from apps.crawls.models import Page
from apps.engine.kinds import DocumentKind
from apps.figures.kinds import KIND_WORDS

register = template.Library()


@register.filter
def document_kind(page: Page) -> str:
    """`PDF, 14 p.`; empty for a web page."""
    if page.kind == DocumentKind.PAGE:
        return ""
    words = KIND_WORDS[DocumentKind(page.kind)]
    return f"{words}, {page.document_pages:,} p." if page.document_pages else words


@register.filter
def kind_word(page: Page) -> str:
    """`PDF`, or `page`."""
    return KIND_WORDS[DocumentKind(page.kind)]


@register.filter
def no_text_words(page: Page) -> str:
    """Why a document is not judged; empty if it has text."""
    if not page.has_no_text:
        return ""
    scanned = "scanned, " if page.kind == DocumentKind.PDF else ""
    return f"{scanned}no text in it: kept, not judged"
