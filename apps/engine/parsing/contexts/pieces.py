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
    which = np.flatnonzero((start >= document.visible) & (start < end)).astype(np.int32)
    return which, start[which], end[which]


def build_spans(rows: int, *parts: tuple[Ints, Ints, Ints]) -> Spans:
    """Spans from columns (row, start, end), sorted by row and without empty pieces."""
    row, start, end = (
        np.concatenate(column).astype(np.int32) for column in zip(*parts, strict=True)
    )
    kept = np.flatnonzero(end > start)
    order = kept[np.argsort(row[kept], kind="stable")]
    return Spans(rows=rows, row=row[order], start=start[order], end=end[order])
