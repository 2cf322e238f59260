"""The mean score counts."""

from __future__ import annotations

import numpy as np

from apps.engine.frontier.parents.base import ParentPolicy
from apps.engine.model import Floats, Longs


class Mean(ParentPolicy):
    """The mean score of all links counts, so that one bad link lowers a URL."""

    id = "mean"
    title = "their mean"
    phrase = "by the mean of its parents"

    def merge(self, old: float, seen: int, new: float) -> float:
        return old + (new - old) / (seen + 1)

    def combine(self, rows: int, row: Longs, scores: Floats) -> Floats:
        total = np.bincount(row, scores, minlength=rows)
        result: Floats = total / np.maximum(np.bincount(row, minlength=rows), 1)
        return result
