"""The best score counts."""

from __future__ import annotations

import numpy as np

from apps.engine.frontier.parents.base import ParentPolicy
from apps.engine.model import Floats, Longs


class Max(ParentPolicy):
    """The best score of all links counts; the default, since most papers specify no policy."""

    id = "max"
    title = "the best of them"
    phrase = "of its best parent"

    def merge(self, old: float, seen: int, new: float) -> float:
        return max(old, new)

    def combine(self, rows: int, row: Longs, scores: Floats) -> Floats:
        result = np.full(rows, -np.inf)
        np.maximum.at(result, row, scores)
        return np.where(np.isneginf(result), 0.0, result)
