"""The changes that a person can make to a running crawl."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from apps.engine.codes import Exclusion
from apps.engine.crawl.fetching.pace import Pace
from apps.engine.crawl.limits import Limits
from apps.engine.crawl.ranking import rank_again
from apps.engine.errors import BadParameter
from apps.engine.evaluation import Measures
from apps.engine.frontier.deciding import decide_hosts
from apps.engine.frontier.quarantine import readmit_trap
from apps.engine.frontier.queue import Frontier
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.strategies.relearns import relearning
from apps.engine.urls import canonical, spelled

Payload = Mapping[str, Any]
GivenLabel = tuple[int, int, str, bool | None]
"""A page's number in the crawl, its URL's number, its final URL, and whether it is on the topic
(None: the label is taken back)."""


@dataclass(frozen=True, slots=True)
class Steering:
    """The changes' view of a crawl. The next batch reports the hosts in `touched`;
    the certificates of those in `unverified` are not checked."""

    frontier: Frontier
    strategy: Strategy
    limits: Limits
    pace: Pace
    measures: Measures
    touched: set[str]
    unverified: set[str]
    now: float

    def limit(self, pages: int, requests: int) -> None:
        """Ends the crawl after that many pages or requests."""
        self.limits.budget, self.limits.request_limit = pages, requests

    def adjust(self, parameter: str, value: float) -> None:
        """Changes a parameter of the strategy. Raises BadParameter if it has none of this name."""
        self.strategy.adjust(parameter, value)

    def count_labels(self, labels: Sequence[GivenLabel]) -> None:
        """Applies labels of fetched pages at once: to the measures and, if the strategy can, to the
        waiting links, which are then re-ranked."""
        for page, _, _, relevant in labels:
            self.measures.count_label(page, relevant)
        relearns = relearning(self.strategy)
        if relearns is None or not relearns.counts_labels:
            return
        for _, number, url, relevant in labels:
            relearns.count_label(number, url, relevant)
        rank_again(self.strategy, self.frontier, self.now)

    def set_pace(self, pages_per_second: float | None) -> None:
        """Limits the request rate over all hosts; None removes the limit."""
        self.pace.rate = pages_per_second

    def add_seed(self, url: str) -> None:
        """Queues a URL with priority 1. Raises BadParameter if it is not a web address."""
        address = canonical(url)
        if address is None:
            raise BadParameter(f"{url} is not a web address", parameter="urls")
        self.frontier.seed(address, self.now, spelled("", url) or "")

    def exclude_host(self, name: str) -> None:
        """Excludes a host from picking; its URLs stay in the frontier."""
        self.frontier.hosts.get_or_create(name).excluded = True
        self.touched.add(name)

    def include_host(self, name: str) -> None:
        """Includes an excluded host again."""
        host = self.frontier.hosts.get_or_create(name)
        host.excluded = False
        self.frontier.hosts.reschedule(host, self.now)
        self.touched.add(name)

    def decide_hosts(self, decisions: Mapping[str, bool | None]) -> None:
        """Takes the topic's hosts as in, out or undecided from now on, by their names; waiting URLs
        obey, and those that were out only for that are queued again."""
        decide_hosts(self.frontier, decisions, self.now)

    def exclude_pattern(self, pattern: str) -> None:
        """Excludes matching URLs, both waiting ones and those discovered later."""
        frontier = self.frontier
        denied = (*frontier.scope.deny_patterns, pattern)
        frontier.scope = replace(frontier.scope, deny_patterns=denied)
        for number in frontier.waiting_numbers().tolist():
            if frontier.refused(number) is Exclusion.PATTERN:
                frontier.exclude(number, Exclusion.PATTERN)

    def include_pattern(self, pattern: str) -> None:
        """Removes a pattern and queues the URLs that only it excluded."""
        frontier = self.frontier
        patterns = tuple(p for p in frontier.scope.deny_patterns if p != pattern)
        frontier.scope = replace(frontier.scope, deny_patterns=patterns)
        for number in frontier.excluded_for(Exclusion.PATTERN):
            if frontier.refused(number) is None:
                frontier.readmit(number, self.now)

    def try_again(self, numbers: Sequence[int]) -> None:
        """Queues failed URLs again."""
        for number in numbers:
            self.frontier.try_again(number, self.now)

    def set_languages(self, languages: Sequence[str], numbers: Sequence[int]) -> None:
        """Takes pages of these languages alone from now on, of all if there are none, and queues
        those that were left out for theirs."""
        frontier = self.frontier
        frontier.scope = replace(frontier.scope, languages=tuple(languages))
        self.try_again(numbers)

    def readmit(self, reason: Exclusion) -> None:
        """Queues the URLs that a rule of the scope excluded; those discovered later are still
        excluded by it."""
        for number in self.frontier.excluded_for(reason):
            self.frontier.readmit(number, self.now)

    def exclude_again(self, reason: Exclusion) -> None:
        """Excludes the waiting URLs that a rule of the scope refuses, which had been readmitted."""
        frontier = self.frontier
        for number in frontier.waiting_numbers().tolist():
            if frontier.parent[number] >= 0 and frontier.refused(number) is reason:
                frontier.exclude(number, reason)

    def allow_certificate(self, host: str, numbers: Sequence[int]) -> None:
        """Takes the host's pages whatever its certificate, and queues its failed URLs again."""
        self.unverified.add(host)
        self.try_again(numbers)

    def check_certificate(self, host: str) -> None:
        """Wants a valid certificate of the host again."""
        self.unverified.discard(host)

    def trust_trap(self, rule: str, location: str) -> None:
        """Stops treating a location as a spider trap and queues its excluded URLs."""
        readmit_trap(self.frontier, (rule, location), self.now)


ApplyChange = Callable[[Steering, Payload], None]
"""Applies one kind of change with the payload of its event. Raises EngineError."""
