"""A window of words around the anchor as the context of a link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from apps.engine.model import Document, Spans
from apps.engine.parsing.contexts.context import Context
from apps.engine.parsing.contexts.pieces import build_spans, substitutes, visible_anchors


def window(document: Document, size: int, edge: Literal["fill", "cut"] = "fill") -> Spans:
    """One row per occurrence: size/2 words on each side of the anchor and the anchor itself (LC
    §8).

    Words are those of the body, without the title, before stop words are removed. At an edge of the
    page, `fill` extends the other side, so that the window has size + |anchor| words if the page
    has them; `cut` leaves it shorter. An anchor without text has its window at its position, plus
    its alt or title words.
    """
    prepared: Spans | None = document.prepared_context("window", size, edge)
    return _computed(document, size, edge) if prepared is None else prepared


def _computed(document: Document, size: int, edge: Literal["fill", "cut"]) -> Spans:
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
    return build_spans(
        rows,
        (np.arange(rows, dtype=np.int32), first - before, end + after),
        substitutes(document),
    )


def _compared(size: int) -> Callable[[Document], Spans]:
    return lambda document: window(document, size)


WINDOW = Context(
    id="window",
    title="Text window",
    sentence="A number of words around the link, and the link text itself.",
    compared={f"window, T = {size}": _compared(size) for size in (10, 20, 40)},
)
