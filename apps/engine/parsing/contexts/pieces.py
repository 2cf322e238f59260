"""Shared by the contexts: positions of anchors in the visible text, and building sorted spans."""

from __future__ import annotations

import numpy as np

from apps.engine.model import Document, Ints, Spans


def visible_anchors(document: Document) -> tuple[Ints, Ints]:
    """The start and end position of each occurrence in the visible text.

    For an anchor without text, both are the position of the next word.
    """
    links = document.links
    first = links.anchor_start if links.position is None else links.position
    shown = links.anchor_start < document.visible
    return first, np.where(shown, links.anchor_end, first).astype(np.int32)


def substitutes(document: Document) -> tuple[Ints, Ints, Ints]:
    """The occurrences whose anchor has only alt or title words, and these words' start and end."""
    links = document.links
    start, end = links.anchor_start, links.anchor_end
    which = ((start >= document.visible) & (start < end)).nonzero()[0].astype(np.int32)
    return (which, start[which], end[which]) if len(which) else (_NONE, _NONE, _NONE)


_NONE = np.empty(0, np.int32)


def build_spans(
    rows: int, ordered: tuple[Ints, Ints, Ints], *more: tuple[Ints, Ints, Ints]
) -> Spans:
    """Spans from columns (row, start, end), sorted by row and without empty pieces; the rows of
    the first columns ascend."""
    row, start, end = ordered
    if any(len(columns[0]) for columns in more):
        row, start, end = map(np.concatenate, zip(ordered, *more, strict=True))
        order = row.argsort(kind="stable")
        row, start, end = row[order], start[order], end[order]
    filled = end > start
    if not filled.all():
        row, start, end = row[filled], start[filled], end[filled]
    return Spans(rows, *(column.astype(np.int32, copy=False) for column in (row, start, end)))
