"""The best link first."""

from __future__ import annotations

from apps.engine.frontier.orders.base import PickOrder
from apps.engine.model import Floats, Longs


class BestFirst(PickOrder):
    """The link with the highest priority first, as in all five papers; the default."""

    id = "best_first"
    title = "best first"

    def rank(self, priority: float, depth: int) -> float:
        return -priority

    def ranks(self, priorities: Floats, depths: Longs) -> Floats:
        return -priorities
