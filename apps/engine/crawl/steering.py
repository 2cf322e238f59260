"""What may be changed of a crawl while it runs: the few things that a recorded change can do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from apps.engine.crawl.limits import Limits
from apps.engine.crawl.pace import Pace
from apps.engine.errors import BadParameter
from apps.engine.frontier.quarantine import take_in
from apps.engine.frontier.queue import Frontier
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.model import Exclusion
from apps.engine.urls import canonical

Payload = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Steering:
    """The part of a crawl that a change may touch. The next batch reports the `touched` hosts."""

    frontier: Frontier
    strategy: Strategy
    limits: Limits
    pace: Pace
    touched: set[str]
    now: float

    def limit(self, pages: int, requests: int) -> None:
        """Ends the crawl after that many pages or requests."""
        self.limits.budget, self.limits.request_limit = pages, requests

    def adjust(self, parameter: str, value: float) -> None:
        """Changes a parameter of the strategy. Raises BadParameter if it has no such one."""
        self.strategy.adjust(parameter, value)

    def set_pace(self, pages_per_second: float | None) -> None:
        """Holds the crawl to a rate over all hosts; None lifts it."""
        self.pace.rate = pages_per_second

    def add_seed(self, url: str) -> None:
        """Has a URL wait with priority 1. Raises BadParameter if it is not a web address."""
        address = canonical(url)
        if address is None:
            raise BadParameter(f"{url} is not a web address", parameter="urls")
        self.frontier.seed(address, self.now)

    def exclude_host(self, name: str) -> None:
        """Sends a host no more requests; its links keep waiting."""
        self.frontier.hosts.named(name).excluded = True
        self.touched.add(name)

    def include_host(self, name: str) -> None:
        """Sends requests again to an excluded host."""
        host = self.frontier.hosts.named(name)
        host.excluded = False
        self.frontier.hosts.reschedule(host, self.now)
        self.touched.add(name)

    def exclude_pattern(self, pattern: str) -> None:
        """Excludes the URLs that match, those waiting and those found later."""
        frontier = self.frontier
        denied = (*frontier.scope.deny_patterns, pattern)
        frontier.scope = replace(frontier.scope, deny_patterns=denied)
        for number in frontier.waiting_numbers().tolist():
            if frontier.refused(number) is Exclusion.PATTERN:
                frontier.exclude(number, Exclusion.PATTERN)

    def include_pattern(self, pattern: str) -> None:
        """Has the URLs wait again that only this pattern excluded."""
        frontier = self.frontier
        kept = tuple(p for p in frontier.scope.deny_patterns if p != pattern)
        frontier.scope = replace(frontier.scope, deny_patterns=kept)
        for number in frontier.excluded_for(Exclusion.PATTERN):
            if frontier.refused(number) is None:
                frontier.readmit(number, self.now)

    def trust_trap(self, rule: str, place: str) -> None:
        """Takes a place for no spider trap any more; what was set aside of it waits again."""
        take_in(self.frontier, (rule, place), self.now)


ApplyChange = Callable[[Steering, Payload], None]
"""Carries out one kind of change with the payload of its event. Raises EngineError."""
