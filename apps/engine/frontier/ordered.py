"""A frontier in another pick order than best first, which costs best first nothing."""

from __future__ import annotations

from heapq import heappush

import numpy as np

from apps.engine.frontier.hosts import GroupLimits, Key
from apps.engine.frontier.orders import ORDERS
from apps.engine.frontier.orders.base import PickOrder
from apps.engine.frontier.orders.best_first import BestFirst
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.scope import Scope
from apps.engine.frontier.url_states import WAITING
from apps.engine.model import Floats, Longs


def make_frontier(
    scope: Scope,
    policy: str,
    replaces: bool,
    one_at_a_time: bool,
    order: str,
    limits: GroupLimits = GroupLimits(),
) -> Frontier:
    """The frontier of a crawl; `order` is the id of a pick order."""
    chosen = ORDERS[order]
    if isinstance(chosen, BestFirst):
        return Frontier(scope, policy, replaces, one_at_a_time, limits)
    return OrderedFrontier(chosen, scope, policy, replaces, one_at_a_time, limits)


class OrderedFrontier(Frontier):
    """Its keys are (rank, URL number), with the rank of a pick order."""

    def __init__(
        self,
        order: PickOrder,
        scope: Scope,
        policy: str = "max",
        replaces: bool = False,
        one_at_a_time: bool = True,
        limits: GroupLimits = GroupLimits(),
    ) -> None:
        super().__init__(scope, policy, replaces, one_at_a_time, limits)
        self.order = order
        self._nearer: list[int] = []  # waiting URLs with a new, shorter path

    def _rank_of(self, number: int) -> float:
        return self.order.rank(self.priority[number], self.depth[number])

    def _ranks_of(self, numbers: Longs) -> Floats:
        priorities = np.frombuffer(self.priority, np.float64)[numbers]
        depths = np.frombuffer(self.depth, np.int32)[numbers].astype(np.int64)
        return self.order.ranks(priorities, depths)

    def _push(self, number: int, now: float) -> None:
        self._pushed += 1
        host = self.hosts.all[self._host[number]]
        heappush(host.queue, (self._rank_of(number), number))
        if len(host.queue) > 2 * host.waiting + 64:
            self._compact(host)
        if host.queue[0][1] == number:
            self.hosts.reschedule(host, now)

    def _is_current(self, key: Key) -> bool:
        return self._state[key[1]] == WAITING and self._rank_of(key[1]) == key[0]

    def _rank(self, now: float) -> None:
        self._nearer.clear()
        super()._rank(now)

    def _update_depth(self, number: int, page: int, depth: int) -> None:
        super()._update_depth(number, page, depth)
        self._nearer.append(number)

    def pick(self, now: float) -> int | None:
        for number in self._nearer:
            if self._state[number] == WAITING:
                self._push(number, now)
        self._nearer.clear()
        return super().pick(now)

    def head(self, most: int) -> list[int]:
        numbers = self.waiting_numbers()
        first = np.lexsort((numbers, self._ranks_of(numbers)))[:most]
        return [int(number) for number in numbers[first]]
