"""Polite fetching: robots.txt, redirects, meta refreshes and the delay of every host on the way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from apps.engine import urls
from apps.engine.codes import Failure
from apps.engine.crawl.host_turns import HostTurns
from apps.engine.frontier.queue import Frontier
from apps.engine.model import Answer
from apps.engine.networking.fetcher import Fetcher
from apps.engine.networking.page_store import with_body
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.redirects import mentions_refresh
from apps.engine.networking.robots import Robots, robots_tag

MOST_REFRESHES = 3


class _Asked(NamedTuple):
    """A hop, and whether the turn of its host is still held for it."""

    url: str
    has_turn: bool


class PoliteFetcher:
    """Fetches for one crawl. `clock` returns monotonic seconds."""

    def __init__(
        self,
        fetcher: Fetcher,
        *,
        robots: Robots | None,
        politeness: Politeness,
        frontier: Frontier,
        clock: Callable[[], float],
        refresh_target: Callable[[Answer], str | None],
    ) -> None:
        self.politeness = politeness
        self.robots = robots
        self._fetcher = fetcher
        self._frontier = frontier
        self._turns = HostTurns(frontier.hosts, politeness, clock)
        self._refresh_target = refresh_target

    async def fetch(self, url: str) -> Answer:
        """The answer to a URL that the frontier has picked. Network errors are failures in it."""
        asked: list[_Asked] = []
        try:
            return await self._follow(url, asked)
        finally:
            self._end_turn(asked)

    async def _follow(self, url: str, asked: list[_Asked]) -> Answer:
        async def gate(hop: str) -> str | None:
            return await self._gate(asked, hop)

        answer = await self._fetcher.fetch(url, gate)
        for _ in range(MOST_REFRESHES):
            target = self._refresh(answer)
            if target is None:
                return self._obey_noindex(answer)
            further = await self._fetcher.fetch(target, gate)
            hops = (*answer.hops, answer.final_url, *further.hops)
            hops = tuple(h for h in hops if h != url)
            answer = replace(with_body(further), url=url, hops=hops, packed=None)
        return replace(answer, failure=Failure.TOO_MANY_REDIRECTS, body=b"")

    async def probe(self, url: str) -> Answer:
        """Tests with one request, sent at the host's turn, whether a host can be reached."""
        name = urls.host_of_canonical(url)
        if not await self._turns.take(name):
            return Answer(url, url, failure=Failure.TIMEOUT)
        try:
            return await self._fetcher.fetch(url, any_type=True)
        finally:
            self._turns.end(name)

    def seconds_until_rules(self, url: str) -> float:
        """Seconds until robots.txt may be fetched again; until then the host gets no requests."""
        return self.robots.seconds_until_retry(url) if self.robots is not None else 0.0

    def _end_turn(self, asked: list[_Asked]) -> None:
        if asked and asked[-1].has_turn:
            self._turns.end(urls.host_of_canonical(asked[-1].url))
            asked[-1] = _Asked(asked[-1].url, has_turn=False)

    async def _gate(self, asked: list[_Asked], hop: str) -> str | None:
        """Waits for the turn of `hop`'s host. Returns a failure if `hop` must not be fetched."""
        name = urls.host_of_canonical(hop)
        self._end_turn(asked)
        if asked and asked[-1].url != hop:
            if self._frontier.page_at(hop) is not None:
                return Failure.REDIRECT_TO_KNOWN
            if self._frontier.scope.refusal(hop, name, 0) is not None:
                return Failure.REDIRECT_OUT_OF_SCOPE
        if not await self._turns.take(name):
            return self._frontier.hosts.named(name).blocked or "http_429"
        asked.append(_Asked(hop, has_turn=True))
        return await self._robots_refusal(hop)

    async def _robots_refusal(self, hop: str) -> str | None:
        """A failure if robots.txt forbids the URL. The turn of its host has been taken."""
        if self.robots is None:
            return None
        rules = await self.robots.rules(hop, self._fetch_robots)
        host = self._frontier.hosts.named(urls.host_of_canonical(hop))
        host.delay = self.politeness.delay_for(rules.crawl_delay)
        return None if rules.allows(hop) else _robots_failure(rules.unreachable)

    async def _fetch_robots(self, url: str) -> Answer:
        """Fetches robots.txt and waits for the delay, as after a page."""
        answer = await self._fetcher.fetch(url, any_type=True)
        await asyncio.sleep(self.politeness.delay)
        return answer

    def _refresh(self, answer: Answer) -> str | None:
        """The target of the page's meta refresh, if it is another URL."""
        if answer.failure or not mentions_refresh(answer.body):
            return None
        target = self._refresh_target(answer)
        return target if target not in (None, answer.final_url, answer.url) else None

    def _obey_noindex(self, answer: Answer) -> Answer:
        if answer.failure or self.robots is None:
            return answer
        noindex, _ = robots_tag(answer, self.robots.user_agent)
        return replace(answer, failure=Failure.NOINDEX, body=b"") if noindex else answer


def _robots_failure(unreachable: str | None) -> str:
    """The failure: a host that cannot be reached keeps its own kind, an HTTP error of robots.txt
    does not."""
    if unreachable is None:
        return Failure.ROBOTS
    return Failure.ROBOTS_UNREACHABLE if unreachable.startswith("http_") else unreachable
