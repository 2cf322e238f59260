"""Notices that the crawl workers look healthy and yet take nothing.

A waiting crawl and a free worker do not stay together for long; where they do, what carries tasks
between them is dead, and only a new start of the workers helps.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Q

from apps.crawls.lifecycle.lease import RUNNABLE
from apps.crawls.models import Crawl

Waiting = tuple[int, int]


@dataclass(frozen=True)
class Backlog:
    """`waiting` holds (crawl, epoch) of what no worker has; a claim changes the epoch."""

    waiting: frozenset[Waiting]
    free_workers: int


def backlog() -> Backlog:
    """How it stands in the database now."""
    runnable = Crawl.objects.filter(state__in=RUNNABLE)
    held = runnable.exclude(runner="").count()
    waiting = runnable.filter(Q(runner="")).values_list("pk", "epoch")
    return Backlog(frozenset(waiting), settings.CRAWLS_AT_ONCE - held)


class Watchdog:
    """Told the backlog at each round, says whether somebody has waited too long for nothing."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: dict[Waiting, float] = {}

    def is_stuck(self, now: Backlog, at: float) -> bool:
        """`at` is a monotonic time in seconds. After a True the count begins anew."""
        waiting: Collection[Waiting] = now.waiting if now.free_workers > 0 else ()
        self._since = {key: self._since.get(key, at) for key in waiting}
        stuck = any(at - since >= self._seconds for since in self._since.values())
        if stuck:
            self._since = {}
        return stuck
