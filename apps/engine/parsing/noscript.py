"""Keeps the links of `<noscript>`, as for a browser without scripts; its text only where the page
has no other, as forums send it to a browser that may have none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lxml import etree

from apps.engine.parsing.links import substitute
from apps.engine.parsing.tree_walk import walk

LEAST_WORDS = 100
"""With fewer words it asks for scripts, or stands for a picture."""
MOST_BESIDE = 20
"""With more words beside it, the page has a text of its own."""
_LINKS = {"a": "href", "area": "href", "iframe": "src", "frame": "src"}


def open_noscript(root: Any, blocks: Sequence[Any]) -> bool:
    """Makes the content of these noscript elements part of the page; returns whether there was
    anything."""
    outermost = [each for each in blocks if next(each.iterancestors("noscript"), None) is None]
    shown = _show_text(root, outermost)
    return _lift_links([each for each in outermost if each not in shown]) or bool(shown)


def _show_text(root: Any, blocks: Sequence[Any]) -> set[Any]:
    """Makes those of the elements part of the page that have its text; returns them."""
    shown = {block for block in blocks if len(_words(block)) >= LEAST_WORDS}
    if not shown or len(walk(root).text.split()) > MOST_BESIDE:
        return set()
    for block in shown:
        block.tag = "div"
        etree.strip_elements(block, "base", "title", "meta", "link", with_tail=False)
    return shown


def _words(block: Any) -> list[str]:
    return "".join(block.itertext()).split()


def _lift_links(blocks: Sequence[Any]) -> bool:
    """Inserts an empty copy of each link in these noscript elements before its element; returns
    whether there was one.

    The copy's title has the words of the anchor, so that they describe the link and nothing else on
    the page. **Choice**: a meta refresh in noscript is not a redirect, since it mostly leads to a
    page that asks for scripts.
    """
    lifted = False
    for block in blocks:
        for link in list(block.iter(*_LINKS)):
            block.addprevious(_copy(link))
            lifted = True
    return lifted


def _copy(link: Any) -> Any:
    address = _LINKS[link.tag]
    text = " ".join(link.itertext())
    copy = link.makeelement(link.tag, title=text if text.strip() else substitute(link))
    for name in (address, "rel"):
        if link.get(name) is not None:
            copy.set(name, link.get(name))
    return copy
