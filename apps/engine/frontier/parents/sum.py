"""The sum of the scores counts."""

from __future__ import annotations

import numpy as np

from apps.engine.frontier.parents.base import ParentPolicy
from apps.engine.model import Floats, Longs


class Sum(ParentPolicy):
    """The scores of all links add up, so that URLs with many in-links come first."""

    id = "sum"
    title = "their sum"
    phrase = "by the sum of its parents"

    def merge(self, old: float, seen: int, new: float) -> float:
        return old + new

    def combine(self, rows: int, row: Longs, scores: Floats) -> Floats:
        return np.bincount(row, scores, minlength=rows).astype(np.float64)
