"""Parses a page into words and links, in one traversal of the repaired tag tree.

Words end at the borders of elements that render as breaks (`<br>`, `</p>`, `</td>`) and at the
borders of anchors, so that an anchor has whole words; other tags do not end a word: `<b>foo</b>bar`
is the one word `foobar`. The text between two link borders is joined and tokenized once. Script,
style, template, the content of frames and comments are not text, and neither is noscript beside
other text. Links are those that a browser without scripts follows, including links in noscript and
after `</html>`, but not those in templates or in the title of a drawing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from lxml import etree

from apps.engine.answers import Answer, Converted
from apps.engine.model import Document, Ints
from apps.engine.networking.robots.tag import DIRECTIVES
from apps.engine.parsing.links import NO_LINKS, resolve_links
from apps.engine.parsing.markup import MOST_CHARACTERS, Markup, markup, tree
from apps.engine.parsing.noscript import open_noscript
from apps.engine.parsing.text import decode, is_exact
from apps.engine.parsing.tree_walk import NOTED, TreeContents, walk
from apps.engine.parsing.unclosed import MAY_HIDE_MORE
from apps.engine.parsing.words import joined_words, page_words
from apps.engine.urls import canonical, join, spelled

_PLAIN_TEXT = re.compile(r"\s*text/(?!html|xml|x-server-parsed-html|[\w.-]+\+xml)", re.IGNORECASE)
_REFRESH = re.compile(
    r"""\s*(\d{1,9})?[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']*)""", re.IGNORECASE | re.DOTALL
)
_AGENT_NAME = re.compile(r"[\w-]+")
_TO_BE_OPENED = frozenset(("template", "object", "embed", "meta", "noscript", "iframe"))
_LOOKED_AT = tuple(dict.fromkeys((*MAY_HIDE_MORE, *sorted(_TO_BE_OPENED), *NOTED)))
_EMBEDDED_PAGES = ("text/html", "application/xhtml+xml")
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})
MOST_FEEDS = 4
LONGEST_REFRESH = 3
"""A refresh after more seconds than this shows the page first: it is a link and no redirect."""


@dataclass(frozen=True, slots=True)
class _Notes:
    """The values of base, meta and link elements."""

    base_url: str
    canonical: str | None = None
    refresh: str | None = None
    robots: frozenset[str] = frozenset()
    agent_robots: str | None = None
    feeds: tuple[str, ...] = ()


def parse(answer: Answer) -> Document:
    """The document of an answer: HTML, or plain words if its type is plain text; of a document of
    another kind the page that it was converted to."""
    if answer.converted is not None:
        return _of_converted(answer, answer.converted)
    content_type = answer.header("content-type")
    text, encoding = decode(answer.body, content_type)
    url, truncated = answer.final_url, answer.truncated
    if is_plain_text(content_type):
        return _plain(text, url, encoding, truncated)
    encoded = answer.body if encoding == "utf-8" and is_exact(answer.body, text) else None
    return parse_html(text, url, encoding=encoding, truncated=truncated, encoded=encoded)


def is_plain_text(content_type: str | None) -> bool:
    """Whether an answer of that type is plain words."""
    return _PLAIN_TEXT.match(content_type or "") is not None


def _of_converted(answer: Answer, converted: Converted) -> Document:
    html = converted.html.decode()
    document = parse_html(html, answer.final_url, truncated=converted.is_cut)
    return replace(document, kind=converted.kind)


def parse_html(
    html: str | bytes,
    url: str,
    *,
    encoding: str = "utf-8",
    truncated: bool = False,
    encoded: bytes | None = None,
) -> Document:
    """The document of a page at `url`; bytes are decoded by their own declaration.

    Never raises: an unparsable page gives an empty document. `encoding` is the text's original
    encoding, `truncated` is whether the body was cut; both are stored in the document. `encoded` is
    the text in UTF-8, if the caller has it.
    """
    if isinstance(html, bytes):
        html, encoding = decode(html)
    root, cut, elements = _open_tree(read_markup(html, encoded))
    contents = walk(root, elements) if root is not None else TreeContents()
    address = canonical(url) or url
    notes = _read_notes(contents.notes, address)
    title = " ".join((contents.title or "").split())
    # Read together with the text: a title alone costs as much as a page in some scripts.
    text = f"{title}\n{contents.text}"
    page, begins, numbers = page_words(text)
    body = len(title) + 1
    first, visible = int(begins.searchsorted(body)), len(page)
    starts, ends = _link_borders(contents, body, begins)
    links, substitutes = resolve_links(
        contents.hrefs, contents.nodes, starts, ends, visible, address, notes.base_url, encoding
    )
    return Document(
        url=url,
        base_url=notes.base_url,
        title=title,
        words=joined_words(page, substitutes),
        visible=visible,
        text_start=first,
        links=links,
        tree=root,
        canonical=notes.canonical,
        refresh=notes.refresh,
        noindex=not notes.robots.isdisjoint(("noindex", "none")),
        nofollow=not notes.robots.isdisjoint(("nofollow", "none")),
        scripts=contents.scripts,
        numbers=numbers,
        truncated=truncated or cut,
        encoding=encoding,
        agent_robots=notes.agent_robots,
        feeds=notes.feeds,
    )


def read_markup(html: str, encoded: bytes | None = None) -> Markup:
    """The tag tree of a page as it is written, which `open_markup` makes that of a document."""
    return markup(html, _LOOKED_AT, encoded)


def open_markup(written: Markup) -> Any:
    """The root of the tag tree of which a document is made, None for an empty page; `written` is
    changed."""
    return _open_tree(written)[0]


def read_tree(html: str) -> tuple[Any, bool]:
    """The root of the tag tree of which a document is made, None for an empty page, and whether a
    limit cut the page."""
    root, cut, _ = _open_tree(read_markup(html))
    return root, cut


def _open_tree(written: Markup) -> tuple[Any, bool, list[Any] | None]:
    """The tree with the elements for `walk`; None if parts of the page have been opened since."""
    root, cut, elements = written
    is_opened = root is not None and _open_shown_parts(root, elements)
    return root, cut, None if is_opened else elements


def _open_shown_parts(root: Any, elements: list[Any]) -> bool:
    """Makes those of the elements that a browser shows or follows part of the page: declarative
    shadow roots, the pages of frames and objects, the targets of refreshes that come later, and the
    links of noscript, with its text where there is no other. Returns whether the tree has
    changed."""
    changed, scriptless = False, []
    for element in elements:
        tag = element.tag
        if tag not in _TO_BE_OPENED or (tag == "meta" and not element.get("http-equiv")):
            continue
        if tag == "noscript":
            scriptless.append(element)
        elif tag == "iframe":
            changed = _show_inner_page(element) or changed
        elif tag == "template":
            if (element.get("shadowrootmode") or "").lower() in ("open", "closed"):
                element.tag, changed = "div", True
        elif address := _address_behind(element):
            root.append(root.makeelement("iframe", src=address))
            changed = True
    return open_noscript(root, scriptless) or changed


def _show_inner_page(frame: Any) -> bool:
    """Makes the page that stands in a frame's own `srcdoc` part of the page; returns whether it has
    one."""
    source = frame.get("srcdoc")
    if source is None:
        return False
    root, _ = tree(source)
    frame.tag = "div"
    frame.attrib.pop("src", None)
    if root is not None:
        etree.strip_elements(root, "base", "title", "meta", "link", with_tail=False)
        frame.append(root)
        etree.strip_tags(frame, "html", "head", "body")
    return True


def _address_behind(element: Any) -> str:
    """The page that an object or embed shows, or that a refresh leads to later; empty without."""
    if element.tag == "meta":
        return later_refresh(_refresh(element))
    kind = (element.get("type") or "").partition(";")[0].strip().lower()
    if kind not in _EMBEDDED_PAGES:
        return ""
    return element.get("data" if element.tag == "object" else "src") or ""


def _link_borders(contents: TreeContents, body: int, begins: Ints) -> tuple[Ints, Ints]:
    """The start and end position of each link's words, of which each of the page `begins` at a
    character; those of the body are from the character `body` on."""
    offsets = np.array(contents.starts + contents.ends, np.int32) + np.int32(body)
    borders = begins.searchsorted(offsets).astype(np.int32)
    return borders[: len(contents.hrefs)], borders[len(contents.hrefs) :]


def _plain(text: str, url: str, encoding: str, truncated: bool) -> Document:
    read = text[:MOST_CHARACTERS]
    page = page_words(read)
    return replace(
        document_of_words(url, page.words),
        numbers=page.numbers,
        truncated=truncated or len(read) < len(text),
        encoding=encoding,
    )


def document_of_words(url: str, page: Sequence[str]) -> Document:
    """A document made of words only, in lower case."""
    return Document(
        url=url,
        base_url=url,
        title="",
        words=page,
        visible=len(page),
        text_start=0,
        links=NO_LINKS,
    )


def _read_notes(elements: list[Any], url: str) -> _Notes:
    """The first base, canonical and refresh of the head, and all robots rules together."""
    bases, links = ([e for e in elements if e.tag == tag] for tag in ("base", "link"))
    named, timed = ([e for e in elements if e.get(key)] for key in ("name", "http-equiv"))
    base_url = next((joined for e in bases if (joined := _base(e, url))), url)
    canonical_url = next((joined for e in links if (joined := _canonical(e, base_url))), None)
    refresh = next(
        (joined for e in timed if (joined := refresh_target(_refresh(e), base_url))), None
    )
    robots = {word for e in named for word in _robots(e)}
    of_agents = "\n".join(filter(None, map(_agent_robots, named))) or None
    refresh = None if refresh == url else refresh
    feeds = tuple(dict.fromkeys(feed for e in links if (feed := _feed(e, base_url))))
    return _Notes(
        base_url, canonical_url, refresh, frozenset(robots), of_agents, feeds[:MOST_FEEDS]
    )


def _base(element: Any, url: str) -> str | None:
    href = element.get("href")
    return join(url, href) if href is not None else None


def _canonical(element: Any, base_url: str) -> str | None:
    href = element.get("href")
    if href is None:
        return None
    rel = (element.get("rel") or "").lower().split()
    return join(base_url, href) if "canonical" in rel else None


def _feed(element: Any, base_url: str) -> str | None:
    """The address of a feed that a link element names, as it is requested."""
    if (element.get("type") or "").strip().lower() not in _FEED_TYPES:
        return None
    rel = (element.get("rel") or "").lower().split()
    return spelled(base_url, element.get("href") or "") if "alternate" in rel else None


def _refresh(element: Any) -> str:
    """The content of a meta refresh, in the syntax of the Refresh header; empty for any other
    element."""
    if (element.get("http-equiv") or "").strip().lower() != "refresh":
        return ""
    return element.get("content") or ""


def refresh_target(order: str, base_url: str) -> str | None:
    """The address to which a refresh leads at once, by its order `0; url=next.html`; None if it
    waits longer."""
    matched = _REFRESH.match(order)
    if not matched or not matched[2].strip() or int(matched[1] or 0) > LONGEST_REFRESH:
        return None
    return spelled(base_url, matched[2].strip())


def later_refresh(order: str) -> str:
    """The address, as written, of a refresh that shows the page first; empty if it has none."""
    matched = _REFRESH.match(order)
    is_later = matched is not None and int(matched[1] or 0) > LONGEST_REFRESH
    return matched[2].strip() if matched is not None and is_later else ""


def _robots(element: Any) -> list[str]:
    if (element.get("name") or "").strip().lower() != "robots":
        return []
    return re.split(r"[\s,]+", (element.get("content") or "").lower())


def _agent_robots(element: Any) -> str:
    """The robots rules of a meta element named after a crawler, as X-Robots-Tag writes them; empty
    for any other element."""
    name = (element.get("name") or "").strip()
    rules = (element.get("content") or "").lower()
    if not ("index" in rules or "follow" in rules or "none" in rules):
        return ""
    if name.lower() == "robots" or not _AGENT_NAME.fullmatch(name):
        return ""
    words = re.split(r"[\s,]+", rules.strip())
    return f"{name.lower()}: {', '.join(words)}" if DIRECTIVES.issuperset(words) else ""
