"""The link nearest to the seeds first."""

from __future__ import annotations

from apps.engine.frontier.orders.base import PickOrder
from apps.engine.model import Floats, Longs


class ShallowFirst(PickOrder):
    """The link with the fewest links between it and a seed first; the best of those."""

    id = "shallow_first"
    title = "shallow first"

    def rank(self, priority: float, depth: int) -> float:
        return depth - priority / (1.0 + priority)

    def ranks(self, priorities: Floats, depths: Longs) -> Floats:
        ranks: Floats = depths - priorities / (1.0 + priorities)
        return ranks
