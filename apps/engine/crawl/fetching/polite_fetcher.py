"""Polite fetching: robots.txt, redirects, meta refreshes and the delay of every host on the way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from apps.engine import urls
from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.crawl.fetching.host_turns import HostTurns
from apps.engine.crawl.fetching.request_log import RequestLog
from apps.engine.crawl.fetching.site_opt_outs import SiteOptOuts
from apps.engine.frontier.queue import Frontier
from apps.engine.kinds import is_document
from apps.engine.networking.bot_walls import is_wall
from apps.engine.networking.fetcher import Fetcher
from apps.engine.networking.page_store.records import with_body
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.redirects import HEAD_BYTES, mentions_refresh
from apps.engine.networking.robots.files import Robots
from apps.engine.parsing.document import refresh_target

MOST_REFRESHES = 3


class _GatedHop(NamedTuple):
    """A hop, whether the turn of its host is still held for it, and when it was sent (Unix seconds,
    0 if it has not been)."""

    url: str
    has_turn: bool
    sent_at: float = 0.0


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
        self.site_opt_outs = SiteOptOuts(frontier.scope)
        self.log = RequestLog()
        self._fetcher = fetcher
        self._frontier = frontier
        self._turns = HostTurns(frontier.hosts, politeness, clock)
        self._refresh_target = refresh_target

    async def fetch(self, url: str) -> Answer:
        """The answer to a URL that the frontier has picked. Network errors are failures in it."""
        gated: list[_GatedHop] = []
        try:
            answer = await self._follow(url, gated)
            self.log.note_fetch(answer)
            return self._with_detail(answer)
        except asyncio.CancelledError:
            for hop in gated:
                if hop.sent_at:
                    self.log.note_cut(hop.url, hop.sent_at)
            raise
        finally:
            self._end_turn(gated)

    def _with_detail(self, answer: Answer) -> Answer:
        """The answer; with what robots.txt or the site's wish refused it by, or with what was wrong
        if the host could not be reached for the file."""
        if answer.failure == Failure.RESERVED:
            return replace(answer, detail=self.site_opt_outs.why(answer.final_url))
        if not answer.failure or answer.detail or self.robots is None:
            return answer
        if answer.failure == Failure.ROBOTS:
            return replace(answer, detail=self.robots.deciding_line(answer.final_url))
        return replace(answer, detail=self.robots.why_unreachable(answer.final_url))

    async def _follow(self, url: str, gated: list[_GatedHop]) -> Answer:
        async def gate(address: str) -> str | None:
            return await self._gate(gated, address)

        frontier = self._frontier
        is_list = bool(frontier.site_lists) and frontier.number(url) in frontier.site_lists
        answer = await self._fetcher.fetch(
            url, gate, any_type=is_list, spelling=frontier.spelling(url)
        )
        if is_list:
            return answer
        for _ in range(MOST_REFRESHES):
            target = self._refresh(answer)
            if target is None:
                return answer
            key = urls.canonical(target) or target
            further = await self._fetcher.fetch(key, gate, spelling=target)
            hops = (*answer.hops, answer.final_url, *further.hops)
            hops = tuple(h for h in hops if h != url)
            sent = (*answer.sent_hops, *further.sent_hops)
            answer = replace(with_body(further), url=url, hops=hops, packed=None, sent=sent)
        return replace(answer, failure=Failure.TOO_MANY_REDIRECTS, body=b"")

    async def fetch_part(self, url: str, spelling: str) -> Answer:
        """The answer to a request of a page that is rendered, in the turn of its host and as
        robots.txt allows; hosts that the scope denies are not asked."""
        gated: list[_GatedHop] = []

        async def gate(address: str) -> str | None:
            hop = urls.canonical(address) or address
            name = urls.host_of_canonical(hop)
            self._end_turn(gated)
            if self._frontier.scope.denies_host(name):
                return Failure.REDIRECT_OUT_OF_SCOPE
            if not await self._turns.take(name):
                return Failure.TIMEOUT
            gated.append(_GatedHop(hop, has_turn=True))
            return await self._robots_refusal(address)

        try:
            return await self._fetcher.fetch(url, gate, any_type=True, spelling=spelling)
        finally:
            self._end_turn(gated)

    async def probe(self, url: str) -> Answer:
        """Tests with one request, sent at the host's turn, whether a host can be reached."""
        name = urls.host_of_canonical(url)
        if not await self._turns.take(name):
            return Answer(url, url, failure=Failure.TIMEOUT)
        try:
            answer = await self._fetcher.fetch(url, any_type=True)
            self.log.note_probe(answer)
            return answer
        finally:
            self._turns.end(name)

    def seconds_until_rules(self, url: str) -> float:
        """Seconds until robots.txt may be fetched again; until then the host gets no requests."""
        return self.robots.seconds_until_retry(url) if self.robots is not None else 0.0

    def _end_turn(self, gated: list[_GatedHop]) -> None:
        if gated and gated[-1].has_turn:
            self._turns.end(urls.host_of_canonical(gated[-1].url))
            gated[-1] = gated[-1]._replace(has_turn=False)

    async def _gate(self, gated: list[_GatedHop], address: str) -> str | None:
        """Waits for the turn of an address's host. Returns a failure if it must not be fetched."""
        hop = urls.canonical(address) or address
        name = urls.host_of_canonical(hop)
        self._end_turn(gated)
        if gated and gated[-1].url != hop:
            if self._is_known(hop) or self._leads_back(gated[0].url, hop):
                return Failure.REDIRECT_TO_KNOWN
            if self._frontier.scope.refusal(hop, name, 0) is not None:
                return Failure.REDIRECT_OUT_OF_SCOPE
        if not await self._turns.take(name):
            return self._frontier.hosts.get_or_create(name).blocked or "http_429"
        gated.append(_GatedHop(hop, has_turn=True))
        # Other requests may have brought the page, or its text, while this redirect waited.
        if len(gated) > 1 and self._is_known(hop):
            return Failure.REDIRECT_TO_KNOWN
        refusal = await self._robots_refusal(address) or await self._wish_of_site(address)
        if refusal is None:
            gated[-1] = gated[-1]._replace(sent_at=time.time())
        return refusal

    def _is_known(self, hop: str) -> bool:
        """Whether the crawl has the page, or on the live Web the text that a redirect brings."""
        if self._frontier.page_at(hop) is not None:
            return True
        live = self._frontier.hosts.one_at_a_time
        return live and self._frontier.redirect_texts.is_known(hop)

    def _leads_back(self, begun: str, hop: str) -> bool:
        """Whether a new address leads to one that was had before the visit."""
        revisits = self._frontier.revisits
        return not revisits.is_due(begun) and revisits.has_met(hop)

    async def _robots_refusal(self, hop: str) -> str | None:
        """A failure if robots.txt forbids the address. The turn of its host has been taken."""
        if self.robots is None:
            return None
        is_cached = self.robots.cached(hop) is not None
        waited = self._turns.pause(urls.host_of_canonical(hop))
        rules = await self.robots.rules(hop, self._fetch_robots)
        host = self._frontier.hosts.get_or_create(urls.host_of_canonical(hop))
        host.delay = self.politeness.delay_for(rules.crawl_delay)
        if host.delay > waited and not is_cached:
            # The delay that the file asks for holds from its own request on.
            await asyncio.sleep(host.delay - waited)
        return None if rules.allows(hop) else _robots_failure(rules.unreachable)

    async def _fetch_robots(self, url: str) -> Answer:
        answer = await self._fetch_site_file(url)
        self.log.note_robots(url, answer)
        self.site_opt_outs.read_robots(url, answer)
        return answer

    async def _fetch_site_file(self, url: str) -> Answer:
        """Fetches robots.txt or the like and waits for the delay, as after a page and between its
        redirects."""
        delay = self._turns.pause(urls.host_of_canonical(url))
        hops = count()

        async def gate(address: str) -> None:
            if next(hops):
                await asyncio.sleep(delay)

        answer = await self._fetcher.fetch(url, gate, any_type=True)
        self.log.note_site_file(answer)
        await asyncio.sleep(delay)
        return answer

    async def _wish_of_site(self, hop: str) -> str | None:
        """A failure if a file of the site reserves the address and the crawl obeys that. The turn
        of its host has been taken, and robots.txt allows the address."""
        rules = self.robots.cached(hop) if self.robots is not None else None
        allows = rules.allows if rules is not None else _allows_all
        await self.site_opt_outs.ask(hop, allows, self._fetch_site_file)
        return self.site_opt_outs.refusal(hop)

    def _refresh(self, answer: Answer) -> str | None:
        """The target of the page's Refresh header or meta refresh, if it is another URL."""
        if answer.failure not in (None, Failure.EMPTY):
            return None
        target = refresh_target(answer.header("Refresh") or "", answer.final_url)
        head = answer.body[:HEAD_BYTES]
        if target is None and not is_document(head) and mentions_refresh(head):
            target = self._refresh_target(answer)
        if target is None or is_wall(answer):
            return None
        return None if urls.canonical(target) in (answer.final_url, answer.url) else target


def _allows_all(url: str) -> bool:
    return True


def _robots_failure(unreachable: str | None) -> str:
    """The failure kind: that of a host that cannot be reached stays, an HTTP error of robots.txt
    does not."""
    if unreachable is None:
        return Failure.ROBOTS
    return Failure.ROBOTS_UNREACHABLE if unreachable.startswith("http_") else unreachable
