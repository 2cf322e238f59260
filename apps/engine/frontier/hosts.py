"""The heaps of hosts: they find the host whose best link may be fetched next.

A host is *free* if it is not excluded, its delay is over and it has no request in flight; on a
recorded web there are no delays. `ready` holds the free hosts by their best link, `later` the
others by their next allowed time. Entries that differ from the host's own values are outdated and
removed lazily.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import islice
from typing import Any

Key = tuple[float, int]  # (−priority, URL number): the smallest key is the best
Entry = tuple[float, int, int]  # a key, and the index of its host


@dataclass(slots=True, eq=False)
class Host:
    """One host's queue (a heap of keys), its times and its counts.

    Keys of the last ranking that are not in the queue yet are at `ranked_start` to `ranked_end`;
    the best of them, `head`, is in the queue already. `next_at` is in seconds of the crawl's clock,
    and so is `rests_until`, the end of the delay after its latest request; `listed` is the host's
    entry in `ready`, `wake_at` its time in `later`; `failures` counts consecutive failures,
    `waiting` the waiting URLs.
    """

    name: str
    index: int
    queue: list[Key] = field(default_factory=list)
    head: Key | None = None
    ranked_start: int = 0
    ranked_end: int = 0
    next_at: float = 0.0
    rests_until: float = 0.0
    busy: int = 0
    listed: Entry | None = None
    wake_at: float | None = None
    waiting: int = 0
    pages: int = 0
    failures: int = 0
    delay: float = 0.0
    excluded: bool = False
    closed: bool = False
    blocked: str = ""


class Hosts:
    """All hosts of a crawl, by name and by index, and the two heaps over them.

    `one_at_a_time` is False on a recorded web, where hosts have no delays.
    """

    def __init__(self, one_at_a_time: bool) -> None:
        self.one_at_a_time = one_at_a_time
        self.all: list[Host] = []
        self._by_name: dict[str, Host] = {}
        self._ready: list[Entry] = []
        self._later: list[tuple[float, int]] = []

    def named(self, name: str) -> Host:
        """The host of that name, created if it is new."""
        host = self._by_name.get(name)
        if host is None:
            host = Host(name, len(self.all))
            self.all.append(host)
            self._by_name[name] = host
        return host

    def free(self, host: Host, now: float) -> bool:
        """Whether a request to the host may start now."""
        if host.excluded or host.closed:
            return False
        return not self.one_at_a_time or (host.busy == 0 and host.next_at <= now)

    def reschedule(self, host: Host, now: float) -> None:
        """Moves the host to the right heap after its queue or its times have changed."""
        if not host.queue or host.excluded or host.closed:
            return
        if not self.free(host, now):
            if host.busy == 0 and host.wake_at != host.next_at:
                host.wake_at = host.next_at
                heappush(self._later, (host.next_at, host.index))
            return
        best = (*host.queue[0], host.index)
        if host.listed is None or best < host.listed:
            host.listed = best
            heappush(self._ready, best)

    def ready(self, now: float) -> Host | None:
        """The first free host of `ready`, or None; its key may be outdated."""
        while self._later and self._later[0][0] <= now:
            at, index = heappop(self._later)
            host = self.all[index]
            if host.wake_at == at:
                host.wake_at = None
            self.reschedule(host, now)
        while self._ready:
            entry = self._ready[0]
            host = self.all[entry[2]]
            if host.listed is entry and self.free(host, now):
                return host
            heappop(self._ready)
            if host.listed is entry:
                host.listed = None
                self.reschedule(host, now)
        return None

    def drop_first_ready(self, host: Host) -> Entry:
        """Removes the first entry of `ready`, which must be this host's, and returns it."""
        host.listed = None
        return heappop(self._ready)

    def take(self, host: Host) -> None:
        """Counts a request to the host as in flight."""
        host.busy += 1

    def release(self, host: Host, next_at: float, now: float) -> None:
        """Ends one request to the host; the next may start at `next_at`."""
        host.busy -= 1
        host.next_at = max(host.next_at, next_at)
        self.reschedule(host, now)

    def next_time(self, now: float) -> float | None:
        """The next time a host with links is free, `now` if one is; None if none will be without
        an answer."""
        if self.ready(now) is not None:
            return now
        while self._later:
            at, index = self._later[0]
            host = self.all[index]
            if host.wake_at == at and host.queue and not host.excluded and not host.closed:
                return max(at, now)
            heappop(self._later)
            if host.wake_at == at:
                host.wake_at = None
        return None

    def resting(self, most: int) -> Iterator[Host]:
        """The hosts with links whose delay is not over, among the first `most` entries of
        `later`."""
        for at, index in islice(self._later, most):
            host = self.all[index]
            if host.wake_at == at and host.queue and not host.excluded and not host.closed:
                yield host

    def reschedule_all(self, now: float) -> None:
        """Rebuilds both heaps, after every queue has changed."""
        self._ready.clear()
        self._later.clear()
        for host in self.all:
            host.listed = host.wake_at = None
            if host.queue:
                self.reschedule(host, now)

    def state(self, now: float) -> list[dict[str, Any]]:
        """Each host's times and counts; `wait` is in seconds from now."""
        return [
            {
                "name": host.name,
                "pages": host.pages,
                "failures": host.failures,
                "delay": host.delay,
                "wait": max(0.0, host.next_at - now),
                "excluded": host.excluded,
                "blocked": host.blocked,
            }
            for host in self.all
        ]

    def restore(self, state: list[dict[str, Any]], now: float) -> None:
        """Restores what `state` returned. The queues must be empty."""
        for entry in state:
            host = self.named(entry["name"])
            host.pages = entry["pages"]
            host.failures = entry["failures"]
            host.delay = entry["delay"]
            host.next_at = now + entry["wait"]
            host.excluded = entry["excluded"]
            host.blocked = entry["blocked"]
