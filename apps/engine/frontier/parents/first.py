"""The first score counts."""

from __future__ import annotations

import numpy as np

from apps.engine.frontier.parents.base import ParentPolicy
from apps.engine.model import Floats, Longs


class First(ParentPolicy):
    """The score of the link seen first counts, whatever comes later (AFC note 2, SLC §4)."""

    id = "first"
    title = "the first that was seen"
    phrase = "of its first parent"

    def merge(self, old: float, seen: int, new: float) -> float:
        return old

    def combine(self, rows: int, row: Longs, scores: Floats) -> Floats:
        first, position = np.unique(row, return_index=True)
        result = np.zeros(rows)
        result[first] = scores[position]
        return result
