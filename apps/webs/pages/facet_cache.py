"""Counts of filters' values over a web's pages, which are the same until its index is made anew."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any

MOST_VALUES = 100_000
"""The most counts in the memory of a process; a label of 100 bytes makes that 15 MB."""

Counts = Mapping[Any, int]


class FacetCache:
    """The counts used last, together at most `most` values. Threads may share it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: OrderedDict[Hashable, Counts] = OrderedDict()
        self._values = 0
        self._lock = Lock()

    def get(self, key: Hashable, count: Callable[[], Counts]) -> Counts:
        """The counts of a key, from `count` if they are not in the cache."""
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
                return self._entries[key]
        counts = count()
        with self._lock:
            self._put(key, counts)
        return counts

    def _put(self, key: Hashable, counts: Counts) -> None:
        self._values += _size(counts) - _size(self._entries.pop(key, None))
        self._entries[key] = counts
        while self._values > self._most:
            self._values -= _size(self._entries.popitem(last=False)[1])


def _size(counts: Counts | None) -> int:
    return 0 if counts is None else len(counts) + 1


def file_version(path: Path) -> Hashable:
    """What differs between a file and any other at its path, before it or after it; None without
    one."""
    try:
        stat = path.stat()
    except FileNotFoundError:
        return None
    return str(path.absolute()), stat.st_ino, stat.st_mtime_ns, stat.st_size


FACETS = FacetCache(MOST_VALUES)
"""Those of this process, for all webs."""
