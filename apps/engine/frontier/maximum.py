"""The frontier maximum: the best links wait, the others are evicted until there is room (SLC §4).

Uses two heaps whose outdated keys are removed lazily: a key is valid while its URL has that state
and that priority. Ties go to the URL discovered first. Seeds are never evicted. An evicted URL
keeps its score and collects those of further links, but is not re-ranked with the frontier.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from heapq import heapify, heappop, heappush
from typing import Protocol

from apps.engine.codes import Exclusion
from apps.engine.frontier.hosts import Key
from apps.engine.frontier.scope import Scope
from apps.engine.model import Longs


class BoundedFrontier(Protocol):
    """The interface of the frontier that a maximum bounds."""

    scope: Scope
    priority: array[float]
    parent: array[int]

    @property
    def waiting(self) -> int: ...
    def waiting_numbers(self) -> Longs: ...
    def waits_at(self, number: int, priority: float) -> bool: ...
    def is_evicted(self, number: int) -> bool: ...
    def excluded_for(self, reason: Exclusion) -> list[int]: ...
    def exclude(self, number: int, reason: Exclusion) -> None: ...
    def readmit_evicted(self, number: int, now: float) -> None: ...


class KeyHeap:
    """A heap with outdated keys; `holds` returns whether a key is valid."""

    def __init__(self, holds: Callable[[Key], bool]) -> None:
        self._holds = holds
        self._heap: list[Key] = []
        self._room = 64

    def push(self, key: Key) -> None:
        heappush(self._heap, key)
        if len(self._heap) > self._room:
            self.fill(set(filter(self._holds, self._heap)))

    def first(self) -> Key | None:
        """The smallest valid key, or None."""
        while self._heap and not self._holds(self._heap[0]):
            heappop(self._heap)
        return self._heap[0] if self._heap else None

    def fill(self, keys: Iterable[Key]) -> None:
        """Replaces all keys."""
        self._heap = list(keys)
        self._room = 2 * len(self._heap) + 64
        heapify(self._heap)


class Maximum:
    """Keeps a frontier within its scope's `frontier_cap`; does nothing without one.

    Waiting links are ordered by (priority, −number), the weakest first; evicted links by
    (−priority, number), the best first.
    """

    def __init__(self, frontier: BoundedFrontier) -> None:
        self._frontier = frontier
        self._weak = KeyHeap(self._waits)
        self._out = KeyHeap(self._is_out)

    def waits(self, number: int) -> None:
        """Adds a waiting link, or its new priority."""
        if self._frontier.scope.frontier_cap is not None:
            self._weak.push((self._frontier.priority[number], -number))

    def is_out(self, number: int) -> None:
        """Adds an evicted link, or its new priority."""
        self._out.push((-self._frontier.priority[number], number))

    def is_beyond(self, priority: float, number: int) -> bool:
        """Whether there is no room for a new link: it would rank below all waiting ones."""
        cap = self._frontier.scope.frontier_cap
        if cap is None or self._frontier.waiting < cap:
            return False
        weak = self._weak.first()
        return weak is None or (priority, -number) < weak

    def keep(self, now: float) -> None:
        """Evicts the weakest links beyond the maximum and readmits the best while there is room.

        The waiting links are therefore always the best of those in scope.
        """
        cap = self._frontier.scope.frontier_cap
        if cap is None:
            return
        while self._frontier.waiting > cap and self._evict_weakest():
            pass
        self._readmit(cap, now)
        while self._is_out_of_order() and self._evict_weakest():
            self._readmit(cap, now)

    def fill(self) -> None:
        """Rebuilds both heaps, after all priorities have changed."""
        if self._frontier.scope.frontier_cap is None:
            return
        priority = self._frontier.priority
        waiting = self._frontier.waiting_numbers().tolist()
        out = self._frontier.excluded_for(Exclusion.FRONTIER_CAP)
        self._weak.fill((priority[number], -number) for number in waiting)
        self._out.fill((-priority[number], number) for number in out)

    def _waits(self, key: Key) -> bool:
        number = -key[1]
        is_link = self._frontier.parent[number] >= 0
        return is_link and self._frontier.waits_at(number, key[0])

    def _is_out(self, key: Key) -> bool:
        number = key[1]
        return self._frontier.is_evicted(number) and -key[0] == self._frontier.priority[number]

    def _is_out_of_order(self) -> bool:
        """Whether an evicted link ranks above a waiting one."""
        weak, out = self._weak.first(), self._out.first()
        return weak is not None and out is not None and out < (-weak[0], -weak[1])

    def _evict_weakest(self) -> bool:
        """Evicts the weakest waiting link. Returns False if there is none."""
        weak = self._weak.first()
        if weak is None:
            return False
        self._frontier.exclude(-weak[1], Exclusion.FRONTIER_CAP)
        self.is_out(-weak[1])
        return True

    def _readmit(self, cap: int, now: float) -> None:
        while self._frontier.waiting < cap and (out := self._out.first()) is not None:
            self._frontier.readmit_evicted(out[1], now)
