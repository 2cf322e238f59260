"""The text of the block that contains the anchor, as the context of a link."""

from __future__ import annotations

import numpy as np

from apps.engine.model import Document, Ints, Spans
from apps.engine.parsing.contexts.context import Context
from apps.engine.parsing.contexts.layout import Layout, layout
from apps.engine.parsing.contexts.pieces import build_spans, substitutes, visible_anchors


def aggregation(
    document: Document, other_anchors: bool, levels: int = 1, most: int = 1000
) -> Spans:
    """One row per distinct target: the text below the parent of its anchors (SLC §3.1).

    The aggregation node is `levels` above the anchor. The blocks of several occurrences are merged,
    so that each word counts once. With `other_anchors` a block keeps all its text (after Pant
    2003); without, anchors of other targets are left out (the paper has both). **Choice** A block
    reaches at most most/2 words to each side of an anchor, so that a page that is one block with
    thousands of links stays tractable.
    """
    prepared: Spans | None = document.prepared_context("aggregation", other_anchors, levels, most)
    return _computed(document, other_anchors, levels, most) if prepared is None else prepared


def _computed(document: Document, other_anchors: bool, levels: int, most: int) -> Spans:
    links = document.links
    which, alt_start, alt_end = substitutes(document)
    alternatives = links.target[which], alt_start, alt_end
    if not len(links.target):
        return build_spans(0, alternatives)
    tree = layout(document)
    first, end = visible_anchors(document)
    blocks = _blocks(tree, links.target, first, end, levels, most)
    if other_anchors:
        return build_spans(len(links), blocks, alternatives)
    gaps = _between_anchors(tree, *blocks)
    merged = _merged(links.target, first, end)
    return build_spans(len(links), gaps, merged, alternatives)


def _blocks(
    tree: Layout, target: Ints, first: Ints, end: Ints, levels: int, most: int
) -> tuple[Ints, Ints, Ints]:
    """The columns row, start, end of each target's blocks, with overlapping blocks merged."""
    node = tree.links
    for _ in range(levels):
        node = tree.parent[node]
    start = np.maximum(tree.start[node], first - most // 2)
    stop = np.minimum(tree.end[node], end + most // 2)
    return _merged(target, start, stop)


def _merged(row: Ints, start: Ints, end: Ints) -> tuple[Ints, Ints, Ints]:
    """Each row's pieces in ascending order, with adjacent pieces merged."""
    order = np.lexsort((start, row))
    row, start, end = row[order], start[order], end[order]
    stretch = row.astype(np.int64) * (int(end.max(initial=0)) + 1)  # keeps rows apart
    reached = np.maximum.accumulate(stretch + end)
    begins = np.ones(len(row), np.bool_)
    begins[1:] = (row[1:] != row[:-1]) | (stretch[1:] + start[1:] > reached[:-1])
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(row)) - 1
    return row[first], start[first], (reached[last] - stretch[last]).astype(np.int32)


def _between_anchors(tree: Layout, row: Ints, start: Ints, end: Ints) -> tuple[Ints, Ints, Ints]:
    """The parts of each block [start, end) outside anchors."""
    anchor_start, anchor_end = tree.start[tree.anchors], tree.end[tree.anchors]
    low = np.searchsorted(anchor_end, start, "right")
    high = np.maximum(np.searchsorted(anchor_start, end, "left"), low)
    gaps = high - low + 1
    block = np.repeat(np.arange(len(row)), gaps)
    last = np.cumsum(gaps) - 1
    anchor = np.arange(len(block)) - np.repeat(last - gaps + 1, gaps) + low[block]
    begin, stop = start[block], end[block]
    inner = np.ones(len(block), np.bool_)
    inner[last] = False
    stop[inner] = anchor_start[anchor[inner]]
    follows = np.roll(inner, 1)
    begin[follows] = anchor_end[anchor[follows] - 1]
    return row[block], begin, stop


AGGREGATION = Context(
    id="aggregation",
    title="Aggregation node",
    sentence="The text of the block that contains the link.",
)
