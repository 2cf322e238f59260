"""Keeps the links of `<noscript>`, but not its text, as for a browser without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apps.engine.parsing.links import substitute

_LINKS = {"a": "href", "area": "href", "iframe": "src", "frame": "src"}


def lift_links(blocks: Sequence[Any]) -> bool:
    """Inserts an empty copy of each link in these noscript elements before its element; returns
    whether there was one.

    The copy's title has the words of the anchor, so that they describe the link and nothing else on
    the page. **Choice**: a meta refresh in noscript is not a redirect, since it mostly leads to a
    page that asks for scripts.
    """
    lifted = False
    for block in blocks:
        if next(block.iterancestors("noscript"), None) is None:
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
