"""A ranking of all waiting URLs, from which the hosts' queues take their keys one by one.

Few URLs of a large frontier are fetched before the next ranking. Their keys therefore stay in
columns, sorted per host, until a queue needs them.
"""

from __future__ import annotations

from array import array

import numpy as np

from apps.engine.frontier.hosts import HostQueue, Key
from apps.engine.model import Floats, Ints, Longs


class Ranking:
    """The waiting URLs grouped by host, best first; 12 bytes each."""

    def __init__(self) -> None:
        self._number, self._negative = array("i"), array("d")

    def rank(self, hosts: list[HostQueue], numbers: Longs, priorities: Floats, host: Ints) -> None:
        """Ranks ascending `numbers` by `priorities` within each `host` (index), and restarts all
        queues. Equal ones stay in their order."""
        order = np.lexsort((-priorities, host))
        self._number = array("i", numbers[order].astype(np.int32).tobytes())
        self._negative = array("d", (-priorities[order]).tobytes())
        borders = np.searchsorted(host[order], np.arange(len(hosts) + 1)).tolist()
        for entry, start, end in zip(hosts, borders, borders[1:], strict=False):
            entry.waiting = end - start
            entry.ranked_start, entry.ranked_end = start, end
            entry.head = self.next(entry)
            entry.queue = [] if entry.head is None else [entry.head]

    def next(self, host: HostQueue) -> Key | None:
        """The host's next key, or None at the end."""
        if host.ranked_start == host.ranked_end:
            return None
        position = host.ranked_start
        host.ranked_start += 1
        return self._negative[position], self._number[position]

    def rest(self, host: HostQueue) -> array[int]:
        """The host's remaining URL numbers; takes them all."""
        numbers = self._number[host.ranked_start : host.ranked_end]
        host.ranked_start = host.ranked_end
        return numbers
