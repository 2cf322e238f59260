"""Words with their distance from the link, counted in leaves of the tag tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from apps.engine.model import Document, Ints
from apps.engine.parsing.contexts.context import Context
from apps.engine.parsing.contexts.layout import layout
from apps.engine.parsing.contexts.pieces import substitutes


@dataclass(frozen=True, slots=True)
class OffsetSpans:
    """Pieces of a page's text as in `Spans`; piece i is `offset[i]` leaves from its link."""

    rows: int
    row: Ints
    start: Ints
    end: Ints
    offset: Ints


def dom_offsets(document: Document, dmax: int = 5) -> OffsetSpans:
    """One row per occurrence: the words of the leaves up to `dmax` from the link (AFC §2.2).

    If a link's leaves are l to r, the words of leaf m have offset m − l to the left, 0 inside and m
    − r to the right. Leaves are non-blank text nodes and elements without children, including
    images and line breaks; comments, script and style do not count. The alt or title words of an
    anchor without text have offset 0.
    """
    prepared: OffsetSpans | None = document.prepared_context("dom_offsets", dmax)
    return _computed(document, dmax) if prepared is None else prepared


def _computed(document: Document, dmax: int) -> OffsetSpans:
    rows = len(document.links.target)
    which, alt_start, alt_end = substitutes(document)
    if not rows:
        return OffsetSpans(0, which, alt_start, alt_end, which)
    tree = layout(document)
    first, after = tree.leaf_start[tree.links][:, None], tree.leaf_end[tree.links][:, None]
    offset = np.arange(-dmax, dmax + 1, dtype=np.int32)[None, :]
    begin = np.where(offset <= 0, first + offset, after + offset - 1)
    stop = np.where(offset == 0, after, begin + 1)
    leaves = len(tree.leaf_word) - 1
    inside = (begin >= 0) & (begin < leaves)
    start = tree.leaf_word[np.where(inside, begin, 0)]
    end = np.where(inside, tree.leaf_word[np.where(inside, stop, 0)], start)
    row = np.repeat(np.arange(rows, dtype=np.int32), 2 * dmax + 1)
    return _ordered(
        rows,
        np.concatenate((row, which)),
        np.concatenate((start.ravel(), alt_start)),
        np.concatenate((end.ravel(), alt_end)),
        np.concatenate((np.tile(offset[0], rows), np.zeros_like(which))),
    )


def _ordered(rows: int, row: Ints, start: Ints, end: Ints, offset: Ints) -> OffsetSpans:
    filled = np.flatnonzero(end > start)
    order = filled[np.lexsort((offset[filled], row[filled]))]
    return OffsetSpans(
        rows,
        row[order],
        start[order].astype(np.int32),
        end[order].astype(np.int32),
        offset[order],
    )


DOM_OFFSETS = Context(
    id="dom_offsets",
    title="DOM offsets",
    sentence="The words near the link, each with its distance in leaves of the tag tree.",
)
