"""A site list as a page of links, so that strategies read it as they read any other."""

from __future__ import annotations

from html import escape

from apps.engine.model import Document
from apps.engine.parsing.address import address_words
from apps.engine.parsing.document import parse_html
from apps.engine.parsing.site_lists.site_list import SiteList, SiteListEntry

_GAP = "0 " * 60


def document_of(site_list: SiteList, url: str) -> Document:
    """A page with one item for each entry: its title is the anchor, its description and date are
    the text beside it. Of an entry without a title the words of its address are the anchor.

    Numbers, which are no tokens, part the entries: a window of words around a link must not reach
    into the next entry, which has nothing to do with it."""
    named = address_words([page.url for page in site_list.pages])
    items = [
        _item(page, page.title or " ".join(words))
        for page, words in zip(site_list.pages, named, strict=True)
    ]
    title = escape(site_list.title)
    return parse_html(f"<title>{title}</title><ul>{''.join(items)}</ul>", url)


def _item(page: SiteListEntry, anchor: str) -> str:
    href, words = escape(page.url), escape(anchor)
    return f'<li><a href="{href}">{words}</a> <p>{escape(page.text)}</p> {page.date}</li>\n{_GAP}'
