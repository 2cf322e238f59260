"""Asking for a URL with manners: robots.txt, redirects, meta refresh and other hosts' pauses."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace

from apps.engine import urls
from apps.engine.frontier.queue import Frontier
from apps.engine.model import Answer, Failure
from apps.engine.networking.fetcher import Fetcher
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.robots import Robots, robots_tag

_REFRESH = re.compile(rb"http-equiv\s*=\s*[\"']?refresh", re.I)
MOST_REFRESHES = 3
# A redirect does not wait longer than this for a host that is left alone.
LONGEST_TURN = 300.0


class Asker:
    """Fetches for one crawl. `clock` gives seconds that never run backwards."""

    def __init__(
        self,
        fetcher: Fetcher,
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
        self._clock = clock
        self._refresh_target = refresh_target

    async def ask(self, url: str) -> Answer:
        """The answer to a URL that the frontier has picked; never raises for the network."""
        asked = url

        async def gate(hop: str) -> str | None:
            return await self._gate(asked, hop)

        answer = await self._fetcher.fetch(url, gate)
        for _ in range(MOST_REFRESHES):
            target = self._refresh(answer)
            if target is None:
                return self._obeyed(answer)
            further = await self._fetcher.fetch(target, gate)
            hops = (*answer.hops, answer.final_url, *further.hops)
            answer = replace(further, url=url, hops=tuple(h for h in hops if h != url))
        return replace(answer, failure=Failure.TOO_MANY_REDIRECTS, body=b"")

    async def knock(self, url: str) -> Answer:
        """Any answer from a host, in its turn: only whether one comes is of interest."""
        host = self._frontier.hosts.named(urls.host(url))
        if host.next_at - self._clock() > LONGEST_TURN:
            return Answer(url, url, failure=Failure.TIMEOUT)
        await self._wait_for(host.name)
        return await self._fetcher.fetch(url, any_type=True)

    def rules_again_in(self, url: str) -> float:
        """Seconds in which the host's rules are not known, and nothing of it may be fetched."""
        return self.robots.asked_again_in(url) if self.robots is not None else 0.0

    async def _gate(self, asked: str, hop: str) -> str | None:
        """A failure kind where `hop` must not be asked; waits until its host may be."""
        if hop != asked:
            if self._frontier.page_at(hop) is not None:
                return Failure.REDIRECT_TO_KNOWN
            if self._frontier.scope.refusal(hop, urls.host(hop), 0) is not None:
                return Failure.REDIRECT_OUT_OF_SCOPE
        if self.robots is not None:
            rules = await self.robots.rules(hop, self._fetch_robots)
            host = self._frontier.hosts.named(urls.host(hop))
            host.delay = self.politeness.delay_for(rules.crawl_delay)
            if not rules.allows(hop):
                return _robots_failure(rules.unreachable)
        if urls.host(hop) != urls.host(asked):
            host = self._frontier.hosts.named(urls.host(hop))
            if host.next_at - self._clock() > LONGEST_TURN:
                return host.blocked or "http_429"
            await self._wait_for(host.name)
        return None

    async def _fetch_robots(self, url: str) -> Answer:
        """robots.txt is a request like any other: the host's pause follows it."""
        answer = await self._fetcher.fetch(url, any_type=True)
        await asyncio.sleep(self.politeness.delay)
        return answer

    async def _wait_for(self, name: str) -> None:
        """Waits for another host's turn and takes it."""
        host = self._frontier.hosts.named(name)
        now = self._clock()
        turn = max(now, host.next_at)
        host.next_at = turn + max(self.politeness.delay, host.delay)
        if turn > now:
            await asyncio.sleep(turn - now)

    def _refresh(self, answer: Answer) -> str | None:
        """Where a page's meta refresh leads, if to another URL."""
        if answer.failure or not _REFRESH.search(answer.body, 0, 4096):
            return None
        target = self._refresh_target(answer)
        return target if target not in (None, answer.final_url, answer.url) else None

    def _obeyed(self, answer: Answer) -> Answer:
        if answer.failure or self.robots is None:
            return answer
        noindex, _ = robots_tag(answer, self.robots.user_agent)
        return replace(answer, failure=Failure.NOINDEX, body=b"") if noindex else answer


def _robots_failure(unreachable: str | None) -> str:
    """A host that cannot be reached at all says so; a robots.txt that fails is its own kind."""
    if unreachable is None:
        return Failure.ROBOTS
    return Failure.ROBOTS_UNREACHABLE if unreachable.startswith("http_") else unreachable
