"""The robots.txt of all origins of a crawl, each fetched once a day."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, NamedTuple

from apps.engine.answers import Answer
from apps.engine.networking.robots import DAY
from apps.engine.networking.robots.rules import RobotsRules, parse
from apps.engine.urls import origin

Fetch = Callable[[str], Awaitable[Answer]]
"""Fetches any type of body (`fetcher.fetch(url, any_type=True)`)."""

FIRST_RETRY = 20.0
MOST_ORIGINS = 5_000
MOST_BYTES = 8 * 2**20


class RobotsEntry(NamedTuple):
    """One origin's robots.txt in a checkpoint; `asked_at` is in Unix seconds, `retry_after` in
    seconds as the host asked for, 0 if it did not; `detail` is that of a failure."""

    origin: str
    text: str
    unreachable: str | None
    asked_at: float
    failures: int = 0
    retry_after: float = 0.0
    detail: str = ""
    sitemaps: Sequence[str] = ()


class Robots:
    """The robots.txt of all origins of a crawl, each fetched once a day by one request at a time.

    After a failure the file is fetched again after 20 seconds, then after 40, 80, … up to a day.
    Beyond 5,000 origins or 8 MiB, the oldest files are dropped.
    """

    def __init__(self, user_agent: str, now: Callable[[], float] = time.time) -> None:
        self.user_agent = user_agent
        self._now = now
        self._entries: OrderedDict[str, tuple[RobotsEntry, RobotsRules]] = OrderedDict()
        self._asking: dict[str, asyncio.Lock] = {}
        self._bytes = 0

    def cached(self, url: str) -> RobotsRules | None:
        """The cached rules for a URL's origin, or None if they must be fetched."""
        entry = self._entries.get(origin(url))
        if entry is None or not self._fresh(entry[0]):
            return None
        return entry[1]

    async def rules(self, url: str, fetch: Fetch) -> RobotsRules:
        """The rules for a URL's origin; concurrent callers wait for the same request."""
        rules = self.cached(url)
        if rules is not None:
            return rules
        origin_url = origin(url)
        lock = self._asking.setdefault(origin_url, asyncio.Lock())
        async with lock:
            rules = self.cached(url)
            if rules is None:
                rules = self._learn(origin_url, await fetch(f"{origin_url}/robots.txt"))
        if not lock.locked():
            self._asking.pop(origin_url, None)
        return rules

    def seconds_until_retry(self, url: str) -> float:
        """Seconds until the next attempt to fetch the origin's file after a failure; else 0."""
        entry = self._entries.get(origin(url))
        if entry is None or not entry[0].unreachable or not self._fresh(entry[0]):
            return 0.0
        return entry[0].asked_at + _lasts(entry[0]) - self._now()

    def why_unreachable(self, url: str) -> str:
        """The detail of the failure to fetch the origin's file; empty if there was none."""
        rules = self.cached(url)
        return rules.detail if rules is not None else ""

    def deciding_line(self, url: str) -> str:
        """The line of the origin's file that forbids or allows a URL; empty if it is not cached."""
        rules = self.cached(url)
        return rules.deciding_line(url) if rules is not None else ""

    def sitemaps(self, url: str) -> tuple[str, ...]:
        """The addresses of the Sitemap lines of the origin's file; empty if it is not cached."""
        rules = self.cached(url)
        return rules.sitemaps if rules is not None else ()

    @property
    def awaited(self) -> int:
        """How many files are being fetched, the pause of their hosts afterwards included."""
        return len(self._asking)

    def snapshot(self) -> tuple[RobotsEntry, ...]:
        """The cached files, so that a resumed crawl need not fetch them again."""
        return tuple(entry for entry, _ in self._entries.values())

    def restore(self, entries: Iterable[Sequence[Any]]) -> None:
        """Restores what `snapshot` returned; expired files will be fetched again."""
        for values in entries:
            entry = RobotsEntry(*values)
            entry = entry._replace(sitemaps=tuple(entry.sitemaps))
            rules = RobotsRules(unreachable=entry.unreachable, detail=entry.detail)
            self._keep(entry, rules if entry.unreachable else _rules_of(entry))

    def _learn(self, origin_url: str, answer: Answer) -> RobotsRules:
        rules = parse(answer, self.user_agent)
        before = self._entries.get(origin_url)
        failures = before[0].failures + 1 if before and rules.unreachable else 1
        self._keep(
            RobotsEntry(
                origin_url,
                rules.text,
                rules.unreachable,
                self._now(),
                failures if rules.unreachable else 0,
                (answer.retry_after or 0.0) if rules.unreachable else 0.0,
                rules.detail,
                rules.sitemaps,
            ),
            rules,
        )
        return rules

    def _keep(self, entry: RobotsEntry, rules: RobotsRules) -> None:
        self._forget(entry.origin)
        self._entries[entry.origin] = (entry, rules)
        self._bytes += _size(entry)
        while len(self._entries) > MOST_ORIGINS or (
            self._bytes > MOST_BYTES and len(self._entries) > 1
        ):
            self._forget(next(iter(self._entries)))

    def _forget(self, origin_url: str) -> None:
        entry = self._entries.pop(origin_url, None)
        if entry:
            self._bytes -= _size(entry[0])

    def _fresh(self, entry: RobotsEntry) -> bool:
        # If the clock is set back, a file must not stay for ever.
        return 0 <= self._now() - entry.asked_at < _lasts(entry)


def _rules_of(entry: RobotsEntry) -> RobotsRules:
    return RobotsRules.of(entry.text, entry.sitemaps)


def _size(entry: RobotsEntry) -> int:
    return len(entry.text) + sum(map(len, entry.sitemaps))


def _lasts(entry: RobotsEntry) -> float:
    if not entry.unreachable:
        return DAY
    doubled = FIRST_RETRY * 2.0 ** min(entry.failures - 1, 20)
    return min(DAY, max(doubled, entry.retry_after))
