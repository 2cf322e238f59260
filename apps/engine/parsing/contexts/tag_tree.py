"""The text of the smallest element round the anchor that says enough, as a link's context."""

from __future__ import annotations

import numpy as np

from apps.engine.model import Document, Ints, Spans
from apps.engine.parsing.contexts.context import Context
from apps.engine.parsing.contexts.layout import Layout, layout
from apps.engine.parsing.contexts.pieces import put_together, substitutes, visible_anchors


def tag_tree(document: Document, least: int = 2, most: int = 40) -> Spans:
    """One row an occurrence: at most `most` words of the first element up the tree from the
    anchor that has more than `least` words, or of the whole page where none has (LC §8).

    **Erratum** LC §8 says "no less than MIN words": read more than MIN, or the whole page if
    shorter. **Choice** The truncation keeps the anchor inside, in the middle where it can; an
    anchor longer than that keeps its beginning. The alt or title words of an anchor without text
    count as words of each element round it.
    """
    if not len(document.links.target):
        return put_together(0, substitutes(document))
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
    return put_together(
        rows,
        (np.arange(rows, dtype=np.int32), begin, np.minimum(begin + room, end)),
        (which, alt_start, np.minimum(alt_end, alt_start + most)),
    )


def _climbed(tree: Layout, least: Ints) -> Ints:
    """For each link the first element from it upwards with more than its `least` words.

    All at once: each element points at itself or its parent, and pointers are doubled until
    they no longer move (a tree of depth d takes log d rounds, however many links it has).
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
    sentence="The text of the smallest element round the link that says enough.",
    compared={"tag tree": tag_tree},
)
