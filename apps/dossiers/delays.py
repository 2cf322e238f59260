"""The pauses between requests to a host, and the rule that held for each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from apps.crawls.models import Crawl, RobotsVersion
from apps.crawls.running.assembly import politeness_of
from apps.crawls.sources.shape import user_agent
from apps.dossiers.requests import AskedRequest, followed
from apps.dossiers.robots import text_of
from apps.engine.networking.politeness import MAX_RETRY_AFTER, Politeness
from apps.engine.networking.robots.rules import RobotsRules, applying
from apps.engine.urls import origin

STEPS = (0.0, 1.0, 2.0, 3.0, 5.0, 10.0, 60.0, 300.0)
"""The borders of the bars, in seconds."""
TOLERANCE = 0.02
"""Seconds that two clocks may differ by between two requests."""
SLOWER = (429, 503)


@dataclass(frozen=True, slots=True)
class ShortGap:
    """A request that was sent too early after the one before: `rule` seconds had to pass."""

    request: AskedRequest
    rule: float


@dataclass(frozen=True, slots=True)
class SlowDown:
    """An answer that asked to slow down, and the seconds until the crawl's next request, None
    without one; `wanted` are those that had to pass."""

    request: AskedRequest
    wanted: float
    waited: float | None

    @property
    def is_kept(self) -> bool:
        """Whether the pause was kept."""
        return self.waited is None or self.waited >= self.wanted - TOLERANCE


@dataclass(frozen=True, slots=True)
class Delays:
    """The pauses between two requests of one crawl, in seconds; `bars` counts them by the steps
    that they begin at. `rules` are the rules that held, the shortest first."""

    number: int
    least: float | None
    median: float | None
    bars: tuple[int, ...]
    rules: tuple[float, ...]
    short: tuple[ShortGap, ...]
    slow_downs: tuple[SlowDown, ...]

    @property
    def obeyed(self) -> int:
        """How many requests to slow down were obeyed."""
        return sum(each.is_kept for each in self.slow_downs)


class _Rules:
    """The seconds that a crawl has to leave after a request to one origin at a time."""

    def __init__(self, crawl: Crawl, versions: Sequence[RobotsVersion]) -> None:
        self.politeness: Politeness = politeness_of(crawl)
        agent = user_agent(self.politeness.contact)
        self._steps: dict[str, tuple[list[datetime], list[float]]] = {}
        for version in versions if self.politeness.obey_robots else ():
            since, delays = self._steps.setdefault(version.origin, ([], []))
            since.append(version.first_at)
            rules = RobotsRules.of(applying(text_of(version), agent))
            delays.append(self.politeness.delay_for(rules.crawl_delay))

    def after(self, request: AskedRequest) -> float:
        since, delays = self._steps.get(origin(request.url), ([], []))
        step = bisect_right(since, request.at)
        return delays[step - 1] if step else self.politeness.delay


def delays_of(
    requests: Sequence[AskedRequest], crawls: Sequence[Crawl], versions: Sequence[RobotsVersion]
) -> Delays:
    """The pauses of all requests, which are in order; of a crawl the rules that it had read."""
    rules = {
        crawl.pk: _Rules(crawl, [each for each in versions if each.crawl_id == crawl.pk])
        for crawl in crawls
    }
    gaps, short, held = [], [], set()
    for before, request in followed(requests):
        gap, rule = request.gap or 0.0, rules[request.crawl].after(before)
        gaps.append(gap)
        held.add(rule)
        if gap < rule - TOLERANCE:
            short.append(ShortGap(request, rule))
    return Delays(
        number=len(gaps),
        least=min(gaps, default=None),
        median=median(gaps) if gaps else None,
        bars=_bars(gaps),
        rules=tuple(sorted(held)),
        short=tuple(short),
        slow_downs=_slow_downs(requests, rules),
    )


def _bars(gaps: Sequence[float]) -> tuple[int, ...]:
    bars = [0] * len(STEPS)
    for gap in gaps:
        bars[max(0, bisect_right(STEPS, gap + TOLERANCE) - 1)] += 1
    return tuple(bars)


def _slow_downs(
    requests: Sequence[AskedRequest], rules: Mapping[int, _Rules]
) -> tuple[SlowDown, ...]:
    after = {id(before): request for before, request in followed(requests)}
    return tuple(
        SlowDown(
            request, _pause_due(request, rules[request.crawl]), _waited(after.get(id(request)))
        )
        for request in requests
        if request.status in SLOWER or request.failure in {f"http_{n}" for n in SLOWER}
    )


def _waited(following: AskedRequest | None) -> float | None:
    return None if following is None else following.gap


def _pause_due(request: AskedRequest, rules: _Rules) -> float:
    """The seconds that had to pass: those that the host asked for, up to an hour, or else twice the
    usual ones."""
    if request.retry_after is not None:
        return max(rules.after(request), min(request.retry_after, MAX_RETRY_AFTER))
    return 2 * max(1.0, rules.after(request))
