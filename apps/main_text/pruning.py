"""A page without what is not its main text, by elements, roles, classes and shares of links.

As in the crawl (`engine.parsing.main_text`), menus, footers, forms and lists of links are left out,
and `main` or the articles are taken alone; here roles, what is hidden, and names of classes count
too, which cost too much there. If little is left, the page is one of lists: they stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree

from apps.engine.parsing.document import open_markup, read_markup, read_tree
from apps.engine.parsing.main_text import FEWEST_WORDS, LARGEST_PART, LEAST_IN_MAIN, LEAST_SHARE
from apps.engine.parsing.markup import Markup

MOST_LINKED = 0.7
"""The share of its words in links above which a list or a section is left out."""
LARGEST_NAMED = 0.1
"""An element with a larger part of the page's words is not left out for the name of its class,
which may be that of the page."""
_LEFT_OUT = frozenset(("aside", "button", "dialog", "footer", "form", "nav", "select"))
_MEASURED = frozenset(("div", "dl", "li", "ol", "p", "section", "table", "ul"))
_NAMED = _MEASURED | {"article", "figure", "header"}
_UNREAD = ("script", "style", "template", "noscript", "noframes", "noembed", "iframe", "frame")
_ROLES = frozenset(
    "alert alertdialog banner complementary contentinfo dialog menu menubar menuitem navigation"
    " none search tablist tooltip".split()
)
_HIDDEN = re.compile(r"display:\s*none")
_CLASSES = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|submenu|footer|sidebar|breadcrumbs?|cookies?"
    r"|consent|modal|popup|dropdown|offcanvas|social|share|sharing|related|newsletter|subscribe"
    r"|search|skip|pagination|copyright|comments?|hidden)(?:$|[\s_-])",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Extent:
    """The number of words in an element, and how many of them are in links."""

    words: int
    linked: int = 0


def prune(page: str, written: Markup | None = None) -> str:
    """The main text of a page as HTML, or the whole page if it has too little of it. `written` is
    its `read_markup`, if the caller has it, which is changed."""
    root = open_markup(written or read_markup(page))
    return _prune(root, with_lists=False) or _prune(read_tree(page)[0], with_lists=True) or page


def _prune(root: Any, with_lists: bool) -> str:
    """The main text, with lists of links or without; empty if it is too little of the page."""
    if root is None:
        return ""
    etree.strip_elements(root, *_UNREAD, with_tail=False)
    extents = _measure(root)
    total = extents[root].words
    for element in _left_out(root, extents, with_lists):
        for above in element.iterancestors():
            extents[above].words -= extents[element].words
        _remove(element)
    parts = _main_parts(root)
    if sum(extents[part].words for part in parts) < LEAST_IN_MAIN * extents[root].words:
        parts = [root]
    if sum(extents[part].words for part in parts) < LEAST_SHARE * total:
        return ""
    return "".join(
        etree.tostring(e, encoding="unicode", method="html", with_tail=False) for e in parts
    )


def _measure(root: Any) -> dict[Any, _Extent]:
    extents = {element: _Extent(0) for element in root.iter()}
    # Backwards, so that an element comes after all within it.
    for element, extent in reversed(extents.items()):
        extent.words += _count(element.text)
        if element.tag == "a" and element.get("href") is not None:
            extent.linked = extent.words
        if element is not root:
            outer = extents[element.getparent()]
            outer.words += extent.words + _count(element.tail)
            outer.linked += extent.linked
    return extents


def _count(text: str | None) -> int:
    return len(text.split()) if text else 0


def _left_out(root: Any, extents: dict[Any, _Extent], with_lists: bool) -> list[Any]:
    """The outermost elements that are left out."""
    chosen, total = [], extents[root].words
    walker = etree.iterwalk(root, events=("start",))
    for _, element in walker:
        extent = extents[element]
        if not 0 < extent.words <= LARGEST_PART * total:
            continue
        is_menu = not with_lists and element.tag in _MEASURED and extent.words >= FEWEST_WORDS
        is_menu = is_menu and extent.linked > MOST_LINKED * extent.words
        if is_menu or _is_beside(element) or _is_named(element, extent.words / total):
            chosen.append(element)
            walker.skip_subtree()
    return chosen


def _is_beside(element: Any) -> bool:
    """Whether an element is hidden or, by its name or role, beside the text."""
    return (
        element.tag in _LEFT_OUT
        or element.get("role") in _ROLES
        or element.get("hidden") is not None
        or element.get("aria-hidden") == "true"
        or _HIDDEN.search(element.get("style") or "") is not None
    )


def _is_named(element: Any, share: float) -> bool:
    """Whether the class or id of an element with that share of the words names it as beside the
    text."""
    if element.tag not in _NAMED or share > LARGEST_NAMED:
        return False
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    return _CLASSES.search(names) is not None


def _main_parts(root: Any) -> list[Any]:
    """The outermost elements that are declared the main part, or else the outermost articles."""
    parts = [each for each in root.iter() if each.tag == "main" or each.get("role") == "main"]
    return list(_outermost(parts or list(root.iter("article"))))


def _outermost(elements: list[Any]) -> Iterator[Any]:
    inside = set(elements)
    return (each for each in elements if inside.isdisjoint(each.iterancestors()))


def _remove(element: Any) -> None:
    """Takes an element out of its tree, but not the text behind it."""
    parent, before, tail = element.getparent(), element.getprevious(), f" {element.tail or ''}"
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    parent.remove(element)
