"""The heaps of hosts: they find the host whose best link may be fetched next.

A host is *free* if it is not excluded, its delay is over and it has no request in flight; on a
recorded web there are no delays. `ready` holds the free hosts by their best link, `later` the
others by their next allowed time. Entries that differ from the host's own values are outdated and
removed lazily. On the live Web a host is also not free while enough others of its registered domain
or its address are asked (`host_groups`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import islice
from typing import Any

from apps.engine.frontier.host_groups import HostGroup
from apps.engine.urls import site_domain

Key = tuple[float, int]  # (−priority, URL number): the smallest key is the best
Entry = tuple[float, int, int]  # a key, and the index of its host


@dataclass(slots=True, eq=False)
class HostQueue:
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
    groups: tuple[HostGroup, ...] = ()
    parked: bool = False
    has_address: bool = False


@dataclass(frozen=True, slots=True)
class GroupLimits:
    """How many hosts of one registered domain, and of one address, may be asked at once; a host
    counts until `pause` seconds after its answer, or its own longer delay. None sets no limit."""

    domain: int | None = None
    address: int | None = None
    pause: float = 0.0


class Hosts:
    """All hosts of a crawl, by name and by index, and the two heaps over them.

    `one_at_a_time` is False on a recorded web, where hosts have no delays.
    """

    def __init__(self, one_at_a_time: bool, limits: GroupLimits = GroupLimits()) -> None:
        self.one_at_a_time = one_at_a_time
        self.limits = limits
        self._groups: dict[str, HostGroup] = {}
        self._group_wakes: list[tuple[float, int, HostGroup]] = []
        self._wakes = 0
        self.all: list[HostQueue] = []
        self._by_name: dict[str, HostQueue] = {}
        self._ready: list[Entry] = []
        self._later: list[tuple[float, int]] = []

    def get_or_create(self, name: str) -> HostQueue:
        """The host of that name, created if it is new."""
        host = self._by_name.get(name)
        if host is None:
            host = HostQueue(name, len(self.all))
            self.all.append(host)
            self._by_name[name] = host
            if self.one_at_a_time and self.limits.domain is not None:
                host.groups = (self._group(site_domain(name), self.limits.domain),)
        return host

    def lacks_address(self, host: HostQueue) -> bool:
        """Whether the limit of hosts at one address needs to know the address of this one."""
        return self.one_at_a_time and self.limits.address is not None and not host.has_address

    def learn_address(self, host: HostQueue, address: str, now: float) -> bool:
        """Adds a host to the group of its address; returns False if enough others are asked there
        now, so that a request to it has to wait."""
        assert self.limits.address is not None
        host.has_address = True
        if not address:
            return True
        group = self._group(f"@{address}", self.limits.address)
        has_room = host.busy == 0 or group.room(now) > 0
        group.busy += host.busy
        host.groups = (*host.groups, group)
        return has_room

    def _group(self, name: str, limit: int) -> HostGroup:
        group = self._groups.get(name)
        if group is None:
            group = self._groups[name] = HostGroup(limit)
        return group

    def _full_group(self, host: HostQueue, now: float) -> HostGroup | None:
        """The group of the host that has no room for it, or None."""
        return next((group for group in host.groups if group.room(now) <= 0), None)

    def free(self, host: HostQueue, now: float) -> bool:
        """Whether a request to the host may start now."""
        if host.excluded or host.closed:
            return False
        if not self.one_at_a_time:
            return True
        rested = host.busy == 0 and host.next_at <= now
        return rested and self._full_group(host, now) is None

    def reschedule(self, host: HostQueue, now: float) -> None:
        """Moves the host to the right heap after its queue or its times have changed."""
        if not host.queue or host.excluded or host.closed:
            for group in host.groups:
                self._fill(group, now)
            return
        if not self.free(host, now):
            self._put_off(host, now)
            return
        best = (*host.queue[0], host.index)
        if host.listed is None or best < host.listed:
            host.listed = best
            heappush(self._ready, best)

    def _put_off(self, host: HostQueue, now: float) -> None:
        """Lists a host that is not free for its next time, or parks it until its group has room."""
        if host.busy:
            return
        if host.next_at > now:
            if host.wake_at != host.next_at:
                host.wake_at = host.next_at
                heappush(self._later, (host.next_at, host.index))
            return
        group = self._full_group(host, now)
        if group is not None and not host.parked:
            host.parked = True
            group.park((*host.queue[0], host.index))
            self._wake_later(group)

    def _wake_later(self, group: HostGroup) -> None:
        """Looks at a group with parked hosts again when the first of its pauses is over."""
        if group.parked and group.rests and group.wake_at != group.rests[0]:
            group.wake_at = group.rests[0]
            self._wakes += 1
            heappush(self._group_wakes, (group.wake_at, self._wakes, group))

    def _fill(self, group: HostGroup, now: float) -> None:
        """Lists as many parked hosts of a group as it has room for."""
        room = group.room(now) if group.parked else 0
        while room > 0 and (index := group.unpark()) is not None:
            host = self.all[index]
            host.parked = False
            if host.queue and not host.excluded and not host.closed:
                self.reschedule(host, now)
                room -= host.listed is not None
        self._wake_later(group)

    def ready(self, now: float) -> HostQueue | None:
        """The first free host of `ready`, or None; its key may be outdated."""
        while self._group_wakes and self._group_wakes[0][0] <= now:
            at, _, group = heappop(self._group_wakes)
            if group.wake_at == at:
                group.wake_at = None
                self._fill(group, now)
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

    def drop_first_ready(self, host: HostQueue) -> Entry:
        """Removes the first entry of `ready`, which must be this host's, and returns it."""
        host.listed = None
        return heappop(self._ready)

    def take(self, host: HostQueue) -> None:
        """Counts a request to the host as in flight."""
        host.busy += 1
        for group in host.groups:
            group.busy += 1

    def release(self, host: HostQueue, next_at: float, now: float) -> None:
        """Ends one request to the host; the next may start at `next_at`."""
        host.busy -= 1
        host.next_at = max(host.next_at, next_at)
        # A host that rests for longer than its delay, such as one that is down, holds up no others.
        rests_until = min(host.next_at, now + max(self.limits.pause, host.delay))
        for group in host.groups:
            group.release(rests_until, now)
            self._fill(group, now)
        self.reschedule(host, now)

    def next_time(self, now: float) -> float | None:
        """The next time a host with links is free, `now` if one is; None if no host becomes free
        before an answer arrives."""
        if self.ready(now) is not None:
            return now
        wakes = self._group_wakes[0][0] if self._group_wakes else None
        while self._later:
            at, index = self._later[0]
            host = self.all[index]
            if host.wake_at == at and host.queue and not host.excluded and not host.closed:
                return max(at if wakes is None else min(at, wakes), now)
            heappop(self._later)
            if host.wake_at == at:
                host.wake_at = None
        return None if wakes is None else max(wakes, now)

    def resting(self, most: int) -> Iterator[HostQueue]:
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
        self._group_wakes.clear()
        for group in self._groups.values():
            group.parked.clear()
            group.wake_at = None
        for host in self.all:
            host.listed = host.wake_at = None
            host.parked = False
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
            host = self.get_or_create(entry["name"])
            host.pages = entry["pages"]
            host.failures = entry["failures"]
            host.delay = entry["delay"]
            host.next_at = now + entry["wait"]
            host.excluded = entry["excluded"]
            host.blocked = entry["blocked"]
