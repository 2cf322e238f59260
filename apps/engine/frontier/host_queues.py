"""The hosts' queues: heaps of keys from which outdated keys are removed lazily."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np

from apps.engine.frontier.hosts import GroupLimits, HostQueue, Key
from apps.engine.frontier.ranking import Ranking
from apps.engine.frontier.table import UrlTable
from apps.engine.frontier.url_states import WAITING
from apps.engine.model import Floats, Longs

FEWEST_PUSHED, SHARE_PUSHED = 10_000, 4


class HostQueues(UrlTable):
    """The discovered URLs, with a queue of waiting URLs per host, best first.

    A key takes 128 bytes in a queue and 12 in the ranking.
    """

    def __init__(self, one_at_a_time: bool, limits: GroupLimits = GroupLimits()) -> None:
        super().__init__(one_at_a_time, limits)
        self._ranking = Ranking()
        self._pushed = 0  # keys since the last ranking

    def _push(self, number: int, now: float) -> None:
        self._pushed += 1
        host = self.hosts.all[self._host[number]]
        heappush(host.queue, (-self.priority[number], number))
        if len(host.queue) > 2 * host.waiting + 64:
            self._compact(host)
        if host.queue[0][1] == number:
            self.hosts.reschedule(host, now)

    def _compact(self, host: HostQueue) -> None:
        host.queue = list({key for key in host.queue if self._is_current(key)})
        heapify(host.queue)
        if host.head is not None and not self._is_current(host.head):
            self._advance(host)

    def _pop(self, host: HostQueue) -> int:
        """Removes the best key, which may be outdated, and returns its URL number."""
        key = heappop(host.queue)
        if key == host.head:
            self._advance(host)
        return key[1]

    def _advance(self, host: HostQueue) -> None:
        """Moves the host's best current key from the ranking to its queue."""
        host.head = self._ranking.next(host)
        while host.head is not None and not self._is_current(host.head):
            host.head = self._ranking.next(host)
        if host.head is not None:
            heappush(host.queue, host.head)

    def _is_current(self, key: Key) -> bool:
        return self.waits_at(key[1], -key[0])

    def waits_at(self, number: int, priority: float) -> bool:
        """Whether a URL waits with exactly this priority."""
        return self._state[number] == WAITING and self.priority[number] == priority

    def _shorten(self, now: float) -> None:
        """Ranks all keys if so many were pushed that it costs little beside pushing them."""
        few = FEWEST_PUSHED + self.waiting // SHARE_PUSHED + len(self.hosts.all)
        if self._pushed > few:
            self._rank(now)

    def _rank(self, now: float) -> None:
        """Rebuilds all queues from the columns."""
        self._pushed = 0
        numbers = self.waiting_numbers()
        host = np.frombuffer(self._host, dtype=np.int32)[numbers]
        self._ranking.rank(self.hosts.all, numbers, -self._ranks_of(numbers), host)
        self.hosts.reschedule_all(now)

    def _ranks_of(self, numbers: Longs) -> Floats:
        """The first part of the keys of these URLs."""
        return -np.frombuffer(self.priority, dtype=np.float64)[numbers]
