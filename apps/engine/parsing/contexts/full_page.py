"""The whole page as the context of all its links."""

from __future__ import annotations

import numpy as np

from apps.engine.model import Document, Spans
from apps.engine.parsing.contexts.context import Context


def full_page(document: Document) -> Spans:
    """One row: the title and the visible text (LC §8, Full Page)."""
    start, end = np.array([0], np.int32), np.array([document.visible], np.int32)
    return Spans(rows=1, row=np.zeros(1, np.int32), start=start, end=end)


def _by_occurrence(document: Document) -> Spans:
    """The full page, with one row per occurrence of a link."""
    rows = np.arange(len(document.links.target), dtype=np.int32)
    zeros = np.zeros(len(rows), np.int32)
    return Spans(len(rows), rows, zeros, zeros + document.visible)


FULL_PAGE = Context(
    id="full_page",
    title="Full page",
    sentence="All words of the page, the same for each of its links.",
    compared={"full page": _by_occurrence},
)
