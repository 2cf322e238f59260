"""Repairs HTML of any quality into an lxml tree, and defines the role of each element for the text.

Limits are applied before lxml parses a page, since it cannot be interrupted: a single tag with
100,000 attributes takes seconds, and a page that is nested too deeply is cut at the maximum depth.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from itertools import islice
from threading import local
from typing import NamedTuple

from lxml import etree

from apps.engine.parsing.unclosed import MAY_HIDE_MORE, close_unclosed

MOST_CHARACTERS = 4_000_000
MOST_TAGS = 200_000
MOST_ATTRIBUTES = 500
_WITHOUT_CHECK = 65_536  # lxml needs less than 0.2 s for any tag of so short a page


_of_thread = local()


class ElementRole(IntEnum):
    """The effect of an element on the surrounding text; an element without a role is inline."""

    BREAK = 1  # words end at its borders
    ANCHOR = 2
    AREA = 3
    FRAME = 4  # a link whose content is not shown
    HIDDEN = 5
    SCRIPT = 6
    TITLE = 7
    HEAD_NOTE = 8  # base, meta, link


_BREAKS = (
    "address article aside audio blockquote body br button canvas caption center col colgroup dd"
    " details dialog dir div dl dt embed fieldset figcaption figure footer form frameset h1 h2 h3"
    " h4 h5 h6 head header hgroup hr html img input legend li main map marquee menu nav object ol"
    " optgroup option p pre search section select summary svg table tbody td textarea tfoot th"
    " thead tr ul video xmp"
)
ROLES: dict[str, ElementRole] = {
    **dict.fromkeys(_BREAKS.split(), ElementRole.BREAK),
    **dict.fromkeys(("style", "template", "noscript", "noframes", "noembed"), ElementRole.HIDDEN),
    **dict.fromkeys(("base", "meta", "link"), ElementRole.HEAD_NOTE),
    **dict.fromkeys(("frame", "iframe"), ElementRole.FRAME),
    "a": ElementRole.ANCHOR,
    "area": ElementRole.AREA,
    "script": ElementRole.SCRIPT,
    "title": ElementRole.TITLE,
}

_ATTRIBUTE = r"""[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"?|'[^']*+'?|[^\s>"'][^\s>]*+)?+)?+"""
_TAG = re.compile(
    r"<(?:!--.*?(?:-->|\Z)"
    r"|(?:(?P<raw>(?:script|style)(?=[\s/>]))|(?P<name>/?[a-z][^\s/>]*+))"
    rf"(?P<attributes>(?:[\s/]++|{_ATTRIBUTE})*+)>?(?(raw).*?(?:</(?P=raw)|\Z)))",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_TAGS_WHEN_FLAT = frozenset(
    ("a", "area", "base", "frame", "img", "iframe", "link", "meta", "script", "style", "title")
)


class Markup(NamedTuple):
    """A page's repaired tag tree: its root, None for an empty page, whether a limit cut the page,
    and the elements of the `names` that were asked for, in their order."""

    root: etree._Element | None
    is_cut: bool
    elements: list[etree._Element]


def tree(html: str) -> tuple[etree._Element | None, bool]:
    """The root of the repaired tag tree, and whether a limit cut the page; see `markup`."""
    root, is_cut, _ = markup(html)
    return root, is_cut


def markup(html: str, names: Sequence[str] = (), encoded: bytes | None = None) -> Markup:
    """The repaired tag tree, with the elements of these names; never raises.

    `encoded` is the page in UTF-8, if the caller has it. A page nested too deeply is parsed again
    without the tags that only nest: its words and links stay. Each look at a whole tree takes a
    fifth of the time of making it, so one finds the elements that this module and the caller ask
    for.
    """
    page, encoded, truncated = _within_limits(html, encoded)
    asked = (*MAY_HIDE_MORE, *names)
    root, too_deep = _parsed(encoded)
    elements = _elements(root, asked)
    closed = close_unclosed(page, elements)
    if closed is not page:
        root, too_deep = _parsed(_encoded(closed))
    if too_deep:
        root, _ = _parsed(_encoded(_TAG.sub(_flat, closed)))
    if closed is not page or too_deep:
        elements = _elements(root, asked)
    if not set(MAY_HIDE_MORE).issubset(names):
        elements = [element for element in elements if element.tag in names]
    return Markup(root, truncated or too_deep, elements)


def _elements(root: etree._Element | None, names: Sequence[str]) -> list[etree._Element]:
    return [] if root is None else list(root.iter(*names))


def _encoded(html: str) -> bytes:
    return html.encode("utf-8", "replace")


def _parsed(html: bytes) -> tuple[etree._Element | None, bool]:
    """The tree of a page in UTF-8, and whether it was cut at libxml2's maximum depth."""
    parser = _parser()
    try:
        root = etree.fromstring(html, parser)
    except etree.LxmlError:
        root = None
    last = parser.error_log.last_error
    if root is not None:
        _gather_roots(root)
    return root, last is not None and last.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT


def _gather_roots(root: etree._Element) -> None:
    """Moves elements after `</html>` to the end of the body, like a browser.

    libxml2 makes each of them a further root.
    """
    further = list(root.itersiblings())
    if further:
        body = root.find("body")
        body = root if body is None else body
        for piece in further:
            body.append(piece)
        etree.strip_tags(body, "html", "body")


def _parser() -> etree.HTMLParser:
    """This thread's parser; its error log is that of the last page."""
    if not hasattr(_of_thread, "parser"):
        _of_thread.parser = etree.HTMLParser(
            encoding="utf-8",
            remove_comments=True,
            remove_pis=True,
            collect_ids=False,
            huge_tree=True,
        )
    return _of_thread.parser


def _within_limits(html: str, encoded: bytes | None) -> tuple[str, bytes, bool]:
    """The page without NULs, cut to the limits, the same in UTF-8, and whether it was cut."""
    if encoded is None:
        encoded = _encoded(html)
    if b"\0" not in encoded and len(html) <= _WITHOUT_CHECK:
        return html, encoded, False
    page = html[:MOST_CHARACTERS]
    truncated = len(page) < len(html)
    page = page.replace("\0", "")
    if len(page) > _WITHOUT_CHECK:
        page, cut = _with_few_attributes(page)
        shortened = _with_few_tags(page)
        truncated = truncated or cut or len(shortened) < len(page)
        page = shortened
    return page, _encoded(page), truncated


def _with_few_tags(page: str) -> str:
    """The page up to the point where it exceeds the limit of tags."""
    if page.count("<") <= MOST_TAGS:
        return page
    return page[: next(islice(re.finditer("<", page), MOST_TAGS, None)).start()]


def _with_few_attributes(page: str) -> tuple[str, bool]:
    pieces, done = [], 0
    for tag in _TAG.finditer(page):
        attributes = tag["attributes"]
        if attributes is None or len(attributes) < 2 * MOST_ATTRIBUTES:
            continue
        ends = [attribute.end() for attribute in _ATTRIBUTES.finditer(attributes)]
        if len(ends) > MOST_ATTRIBUTES:
            pieces.append(page[done : tag.start("attributes") + ends[MOST_ATTRIBUTES - 1]])
            done = tag.end("attributes")
    return "".join([*pieces, page[done:]]), bool(pieces)


def _flat(tag: re.Match[str]) -> str:
    name = (tag["name"] or "").lstrip("/").lower()
    if not name or name in _TAGS_WHEN_FLAT:
        return tag[0]
    return "<br>" if ROLES.get(name) == ElementRole.BREAK else ""
