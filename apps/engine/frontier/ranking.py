"""A ranking of all waiting URLs at once, handed to the hosts' queues key by key.

Few of a large frontier's URLs are fetched before the next ranking, so that their keys lie in
columns, in each host's order, until its queue comes to them.
"""

from __future__ import annotations

from array import array

import numpy as np

from apps.engine.frontier.hosts import Host, Key
from apps.engine.model import Floats, Ints, Longs


class Ranking:
    """The waiting URLs, a stretch a host, best first; 12 bytes each."""

    def __init__(self) -> None:
        self._number, self._negative = array("i"), array("d")

    def rank(self, hosts: list[Host], numbers: Longs, priorities: Floats, host: Ints) -> None:
        """Ranks `numbers`, at `priorities` and on `host` (by index); every queue begins anew."""
        order = np.lexsort((numbers, -priorities, host))
        self._number = array("i", numbers[order].astype(np.int32).tobytes())
        self._negative = array("d", (-priorities[order]).tobytes())
        borders = np.searchsorted(host[order], np.arange(len(hosts) + 1)).tolist()
        for entry, start, end in zip(hosts, borders, borders[1:], strict=False):
            entry.waiting = end - start
            entry.ranked_start, entry.ranked_end = start, end
            entry.head = self.next(entry)
            entry.queue = [] if entry.head is None else [entry.head]

    def next(self, host: Host) -> Key | None:
        """The host's best key that its queue has not had; None where it has had all."""
        if host.ranked_start == host.ranked_end:
            return None
        place = host.ranked_start
        host.ranked_start += 1
        return self._negative[place], self._number[place]

    def rest(self, host: Host) -> array[int]:
        """The numbers that the host's queue has not had; from now on it has."""
        numbers = self._number[host.ranked_start : host.ranked_end]
        host.ranked_start = host.ranked_end
        return numbers
