"""The tags at each distance from a link, counted in leaves of the tag tree."""

from __future__ import annotations

from collections import Counter
from typing import Any

from lxml import etree

from apps.engine.model import Document
from apps.engine.parsing.contexts.context import Context
from apps.engine.parsing.markup import ROLES, ElementRole


def leaf_tags(document: Document, dmax: int = 5) -> Counter[tuple[int, str]]:
    """How often each (offset, tag) occurs near the document's links (AFC Fig. 9b).

    Leaves are numbered as in `dom_offsets`. The tag of a text node is that of its element. Anchors
    are left out, as in the paper, since they outnumber all others.
    """
    counts: Counter[tuple[int, str]] = Counter()
    if not document.links.nodes:
        return counts
    tags, ends = _leaves(document.tree, set(document.links.nodes))
    for first, after in ends:
        for offset in range(-dmax, dmax + 1):
            leaves = (
                range(first, after)
                if offset == 0
                else [first + offset if offset < 0 else after + offset - 1]
            )
            for leaf in leaves:
                if 0 <= leaf < len(tags) and tags[leaf] != "a":
                    counts[offset, tags[leaf]] += 1
    return counts


def _leaves(root: Any, links: set[Any]) -> tuple[list[str], list[tuple[int, int]]]:
    """The tag of each leaf, and for each of `links` the range of its leaves (first, last + 1)."""
    tags: list[str] = []
    ends: list[tuple[int, int]] = []
    began: dict[Any, int] = {}
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        role = ROLES.get(element.tag, ElementRole.BREAK)
        if event == "start":
            began[element] = len(tags)
            if role > ElementRole.ANCHOR:
                walker.skip_subtree()
            elif (element.text or "").strip():
                tags.append(element.tag)
            continue
        if began[element] == len(tags) and role not in (ElementRole.SCRIPT, ElementRole.HIDDEN):
            tags.append(element.tag)
        if element in links:
            ends.append((began[element], len(tags)))
        if (element.tail or "").strip():
            tags.append(element.getparent().tag)
    return tags, ends


LEAF_TAGS = Context(
    id="leaf_tags",
    title="Tags of leaves",
    sentence="The tags at each distance from the link, for a figure of AFC.",
)
