"""Parses a page into words and links, in one traversal of the repaired tag tree.

Words end at the borders of elements that render as breaks (`<br>`, `</p>`, `</td>`) and at the
borders of anchors, so that an anchor has whole words; other tags do not end a word: `<b>foo</b>bar`
is the one word `foobar`. The text between two link borders is joined and tokenized once. Script,
style, template, noscript, the content of frames and comments are not text. Links are those that a
browser without scripts follows, including links in noscript and after `</html>`, but not those in
templates or in the title of a drawing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from apps.engine.model import Answer, Document, Ints
from apps.engine.parsing.links import NO_LINKS, resolve_links
from apps.engine.parsing.markup import MOST_CHARACTERS, tree
from apps.engine.parsing.noscript import lift_links
from apps.engine.parsing.text import decode
from apps.engine.parsing.tree_walk import TreeContents, walk
from apps.engine.parsing.words import words, words_and_spans
from apps.engine.urls import canonical, join

_PLAIN_TEXT = re.compile(r"\s*text/(?!html|xml|x-server-parsed-html|[\w.-]+\+xml)", re.IGNORECASE)
_REFRESH = re.compile(
    r"""\s*(\d{1,9})?[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']*)""", re.IGNORECASE | re.DOTALL
)
LONGEST_REFRESH = 60
"""A meta refresh after more seconds than this reloads a page and is not a redirect."""


@dataclass(frozen=True, slots=True)
class _Notes:
    """The values of base, meta and link elements."""

    base_url: str
    canonical: str | None = None
    refresh: str | None = None
    robots: frozenset[str] = frozenset()


def parse(answer: Answer) -> Document:
    """The document of an answer: HTML, or plain words if its type is plain text."""
    content_type = answer.header("content-type")
    text, encoding = decode(answer.body, content_type)
    if _PLAIN_TEXT.match(content_type or ""):
        return _plain(text, answer.final_url, encoding, answer.truncated)
    return parse_html(text, answer.final_url, encoding=encoding, truncated=answer.truncated)


def parse_html(
    html: str | bytes, url: str, *, encoding: str = "utf-8", truncated: bool = False
) -> Document:
    """The document of a page at `url`; bytes are decoded by their own declaration.

    Never raises: an unparsable page gives an empty document. `encoding` is the text's original
    encoding, `truncated` tells whether the body was cut; both are stored in the document.
    """
    if isinstance(html, bytes):
        html, encoding = decode(html)
    root, cut = tree(html)
    if root is not None:
        lift_links(root)
    contents = walk(root) if root is not None else TreeContents()
    address = canonical(url) or url
    notes = _read_notes(contents.notes, address)
    title = " ".join((contents.title or "").split())
    page = words(title)
    first = len(page)
    body, begins, _ = words_and_spans(contents.text)
    page += body
    visible = len(page)
    starts, ends = _link_borders(contents, first, begins)
    links = resolve_links(
        contents.hrefs, contents.nodes, starts, ends, page, address, notes.base_url
    )
    return Document(
        url=url,
        base_url=notes.base_url,
        title=title,
        words=page,
        visible=visible,
        text_start=first,
        links=links,
        tree=root,
        canonical=notes.canonical,
        refresh=notes.refresh,
        noindex=not notes.robots.isdisjoint(("noindex", "none")),
        nofollow=not notes.robots.isdisjoint(("nofollow", "none")),
        scripts=contents.scripts,
        numbers=_numbers(page[:visible]),
        truncated=truncated or cut,
        encoding=encoding,
    )


def _link_borders(contents: TreeContents, first: int, begins: Ints) -> tuple[Ints, Ints]:
    """The start and end position of each link's words; the first word of the body is at `first`."""
    places = np.array(contents.starts + contents.ends, np.int32)
    borders = (first + begins.searchsorted(places)).astype(np.int32)
    return borders[: len(contents.hrefs)], borders[len(contents.hrefs) :]


def _plain(text: str, url: str, encoding: str, truncated: bool) -> Document:
    page = words(text[:MOST_CHARACTERS])
    cut = truncated or len(text) > MOST_CHARACTERS
    document = document_of_words(url, page)
    return replace(document, numbers=_numbers(page), truncated=cut, encoding=encoding)


def document_of_words(url: str, page: Sequence[str]) -> Document:
    """A page of which only the words are known, in lower case."""
    return Document(
        url=url, base_url=url, title="", words=page, visible=len(page), text_start=0,
        links=NO_LINKS,
    )


def _read_notes(elements: list[Any], url: str) -> _Notes:
    """The first base, canonical and refresh of the head, and all robots rules together."""
    base_url = next((joined for e in elements if (joined := _base(e, url))), url)
    canonical_url = next((joined for e in elements if (joined := _canonical(e, base_url))), None)
    refresh = next((joined for e in elements if (joined := _refresh(e, base_url))), None)
    robots = {word for e in elements for word in _robots(e)}
    return _Notes(base_url, canonical_url, None if refresh == url else refresh, frozenset(robots))


def _base(element: Any, url: str) -> str | None:
    href = element.get("href")
    return join(url, href) if element.tag == "base" and href is not None else None


def _canonical(element: Any, base_url: str) -> str | None:
    href = element.get("href")
    if element.tag != "link" or href is None:
        return None
    rel = (element.get("rel") or "").lower().split()
    return join(base_url, href) if "canonical" in rel else None


def _refresh(element: Any, base_url: str) -> str | None:
    if (element.get("http-equiv") or "").strip().lower() != "refresh":
        return None
    order = _REFRESH.match(element.get("content") or "")
    if not order or not order[2].strip() or int(order[1] or 0) > LONGEST_REFRESH:
        return None
    return join(base_url, order[2].strip())


def _robots(element: Any) -> list[str]:
    if (element.get("name") or "").strip().lower() != "robots":
        return []
    return re.split(r"[\s,]+", (element.get("content") or "").lower())


def _numbers(page: list[str]) -> int:
    return sum(map(str.isdigit, page))
