"""A window of words around the anchor as the context of a link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from apps.engine.model import Document, Spans
from apps.engine.parsing.contexts.context import Context
from apps.engine.parsing.contexts.pieces import put_together, substitutes, visible_anchors


def window(document: Document, size: int, edge: Literal["fill", "cut"] = "fill") -> Spans:
    """One row an occurrence: size/2 words each side of the anchor and the whole anchor (LC §8).

    Words are those of the body, before stop words are dropped (the title stands beside no link).
    At an edge of the page the other side takes the missing words, so that the window keeps
    size + |anchor| words where the page has them (`fill`); `cut` leaves them out. An anchor
    without text has its window where it stands, and its alt or title words come along.
    """
    first, end = visible_anchors(document)
    room_before, room_after = first - document.text_start, document.visible - end
    before = np.minimum(size // 2, room_before)
    after = np.minimum(size - size // 2, room_after)
    if edge == "fill":
        before, after = (
            np.minimum(size - after, room_before),
            np.minimum(size - before, room_after),
        )
    rows = len(first)
    return put_together(
        rows,
        (np.arange(rows, dtype=np.int32), first - before, end + after),
        substitutes(document),
    )


def _compared(size: int) -> Callable[[Document], Spans]:
    return lambda document: window(document, size)


WINDOW = Context(
    id="window",
    title="Text window",
    sentence="So many words round the link, and the whole link.",
    compared={f"window, T = {size}": _compared(size) for size in (10, 20, 40)},
)
