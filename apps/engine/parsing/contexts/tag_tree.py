"""The text of the smallest element around the anchor with enough words, as a link's context."""

from __future__ import annotations

import numpy as np

from apps.engine.model import Document, Ints, Spans
from apps.engine.parsing.contexts.context import Context
from apps.engine.parsing.contexts.layout import Layout, layout
from apps.engine.parsing.contexts.pieces import build_spans, substitutes, visible_anchors


def tag_tree(document: Document, least: int = 2, most: int = 40) -> Spans:
    """One row per occurrence: at most `most` words of the nearest ancestor of the anchor with more
    than `least` words, or of the whole page if there is none (LC §8).

    **Erratum** LC §8 has "no less than MIN words": read more than MIN, or the whole page if
    shorter. **Choice** The truncation keeps the anchor, in the middle if possible; a longer anchor
    keeps its beginning. The alt or title words of an anchor without text count as words of all its
    ancestors.
    """
    prepared: Spans | None = document.prepared_context("tag_tree", least, most)
    return _computed(document, least, most) if prepared is None else prepared


def _computed(document: Document, least: int, most: int) -> Spans:
    if not len(document.links.target):
        return build_spans(0, substitutes(document))
    tree = layout(document)
    which, alt_start, alt_end = substitutes(document)
    rows = len(tree.links)
    extra = np.zeros(rows, np.int32)
    extra[which] = alt_end - alt_start
    node = _climbed(tree, least - extra)
    room = most - np.minimum(extra, most)
    start, end = tree.start[node], tree.end[node]
    first, anchor_end = visible_anchors(document)
    beside = np.maximum(room - (anchor_end - first), 0)
    begin = np.maximum(np.minimum(first - beside // 2, end - room), start)
    return build_spans(
        rows,
        (np.arange(rows, dtype=np.int32), begin, np.minimum(begin + room, end)),
        (which, alt_start, np.minimum(alt_end, alt_start + most)),
    )


def _climbed(tree: Layout, least: Ints) -> Ints:
    """The nearest ancestor of each link (or itself) with more than its `least` words.

    Uses pointer doubling for all links at once: each element points to itself or its parent, and a
    tree of depth d takes log d rounds, however many links it has.
    """
    node = tree.links.copy()
    words = tree.end - tree.start
    for limit in np.unique(least):
        up = np.where(words > limit, np.arange(len(words)), tree.parent)
        while not np.array_equal(further := up[up], up):
            up = further
        node[least == limit] = up[tree.links[least == limit]]
    return node


TAG_TREE = Context(
    id="tag_tree",
    title="Tag tree",
    sentence="The text of the smallest element around the link with enough words.",
    compared={"tag tree": tag_tree},
)
