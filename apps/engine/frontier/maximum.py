"""The frontier maximum: the best links wait, the others are put out until there is room (SLC §4).

Two heaps of keys, dropped lazily: a key counts only while its URL is in that state with that
priority. Ties go to the URL discovered first. Seeds are never put out. What is put out keeps its
score, to which further links add, but is not ranked anew with the frontier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from apps.engine.model import Exclusion

if TYPE_CHECKING:
    from apps.engine.frontier.queue import Frontier

Key = tuple[float, int]


class Keys:
    """A heap of keys of which some no longer hold; `holds` says of a key whether it does."""

    def __init__(self, holds: Callable[[Key], bool]) -> None:
        self._holds = holds
        self._heap: list[Key] = []
        self._room = 64

    def push(self, key: Key) -> None:
        heappush(self._heap, key)
        if len(self._heap) > self._room:
            self.fill(set(filter(self._holds, self._heap)))

    def first(self) -> Key | None:
        """The smallest key that holds; None where there is none."""
        while self._heap and not self._holds(self._heap[0]):
            heappop(self._heap)
        return self._heap[0] if self._heap else None

    def fill(self, keys: Iterable[Key]) -> None:
        """These keys in place of all."""
        self._heap = list(keys)
        self._room = 2 * len(self._heap) + 64
        heapify(self._heap)


class Maximum:
    """Keeps a frontier within its scope's `frontier_cap`; without one it does nothing.

    The weakest of the waiting links comes first by (priority, −number), the best of those that
    are put out by (−priority, number).
    """

    def __init__(self, frontier: Frontier) -> None:
        self._frontier = frontier
        self._weak = Keys(self._waits)
        self._out = Keys(self._is_out)

    def waits(self, number: int) -> None:
        """Notes a link that waits, or has another priority."""
        if self._frontier.scope.frontier_cap is not None:
            self._weak.push((self._frontier.priority[number], -number))

    def is_out(self, number: int) -> None:
        """Notes a link that is put out, or has another priority."""
        self._out.push((-self._frontier.priority[number], number))

    def is_beyond(self, priority: float, number: int) -> bool:
        """Whether a new link would come after all that wait, and there is no room."""
        cap = self._frontier.scope.frontier_cap
        if cap is None or self._frontier.waiting < cap:
            return False
        weak = self._weak.first()
        return weak is None or (priority, -number) < weak

    def keep(self, now: float) -> None:
        """Puts the weakest links out beyond the maximum, takes the best in while there is room.

        So those that wait are always the best of all in scope.
        """
        cap = self._frontier.scope.frontier_cap
        if cap is None:
            return
        while self._frontier.waiting > cap and self._put_weakest_out():
            pass
        self._take_in(cap, now)
        while self._is_unjust() and self._put_weakest_out():
            self._take_in(cap, now)

    def fill(self) -> None:
        """All keys anew, after all priorities have changed."""
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
        return self._frontier.is_put_out(number) and -key[0] == self._frontier.priority[number]

    def _is_unjust(self) -> bool:
        """Whether a link that is put out comes before one that waits."""
        weak, out = self._weak.first(), self._out.first()
        return weak is not None and out is not None and out < (-weak[0], -weak[1])

    def _put_weakest_out(self) -> bool:
        """Whether there was a link to put out."""
        weak = self._weak.first()
        if weak is None:
            return False
        self._frontier.exclude(-weak[1], Exclusion.FRONTIER_CAP)
        self.is_out(-weak[1])
        return True

    def _take_in(self, cap: int, now: float) -> None:
        while self._frontier.waiting < cap and (out := self._out.first()) is not None:
            self._frontier.come_back(out[1], now)
