"""The link discovered first, first."""

from __future__ import annotations

import numpy as np

from apps.engine.frontier.orders.base import PickOrder
from apps.engine.model import Floats, Longs


class OldestFirst(PickOrder):
    """The link discovered first, whatever its score; scores still reject links and stay visible."""

    id = "oldest_first"
    title = "oldest first"

    def rank(self, priority: float, depth: int) -> float:
        return 0.0

    def ranks(self, priorities: Floats, depths: Longs) -> Floats:
        return np.zeros(len(priorities))
