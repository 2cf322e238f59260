"""The whole page as the context of all its links."""

from __future__ import annotations

import numpy as np

from apps.engine.model import Document, Spans


def full_page(document: Document) -> Spans:
    """One row: the title and the visible text (LC §8, Full Page)."""
    start, end = np.array([0], np.int32), np.array([document.visible], np.int32)
    return Spans(rows=1, row=np.zeros(1, np.int32), start=start, end=end)
