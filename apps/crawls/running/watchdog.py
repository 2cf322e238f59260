"""Detects crawl workers that look healthy but claim no crawls.

A crawl does not wait for long while a worker is free; if it does, the task broker's connection is
dead, and only restarting the workers helps.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from apps.crawls.lifecycle.lease import RUNNABLE, free_workers
from apps.crawls.models import Crawl

Waiting = tuple[int, int]
LONGEST = 16


@dataclass(frozen=True)
class Backlog:
    """`waiting` holds (crawl, epoch) of the crawls without a worker; a claim changes the epoch.
    `free_workers` are those of this machine."""

    waiting: frozenset[Waiting]
    free_workers: int


def backlog() -> Backlog:
    """The backlog in the database now."""
    waiting = Crawl.objects.filter(state__in=RUNNABLE, runner="").values_list("pk", "epoch")
    return Backlog(frozenset(waiting), free_workers())


class Watchdog:
    """Called with the backlog at each round; detects a crawl that has waited too long.

    While nothing is taken each alarm waits twice as long as the one before, at most `LONGEST` times
    the first: on a busy machine new workers need their time to start.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._times = 1
        self._since: dict[Waiting, float] = {}
        self._alarmed: frozenset[Waiting] = frozenset()

    def is_stuck(self, now: Backlog, at: float) -> bool:
        """`at` is a monotonic time in seconds. After a True the count begins again."""
        if self._alarmed - now.waiting:  # one of them was taken
            self._times, self._alarmed = 1, frozenset()
        waiting: Collection[Waiting] = now.waiting if now.free_workers > 0 else ()
        self._since = {key: self._since.get(key, at) for key in waiting}
        patience = self._times * self._seconds
        stuck = any(at - since >= patience for since in self._since.values())
        if stuck:
            self._since, self._alarmed = {}, frozenset(waiting)
            self._times = min(2 * self._times, LONGEST)
        return stuck
