"""The operations on a crawl that its request loops need: pick, fetch, apply, put back, stop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from apps.engine.answers import Answer
from apps.engine.codes import Failure, StopReason
from apps.engine.crawl.bottleneck import Hindrance, LoopTime
from apps.engine.crawl.fetching.pace import Pace
from apps.engine.crawl.fetching.polite_fetcher import PoliteFetcher
from apps.engine.crawl.fetching.rendering import Rendering
from apps.engine.crawl.limits import Limits
from apps.engine.crawl.turns import Turns
from apps.engine.frontier.queue import Frontier
from apps.engine.kinds import is_document
from apps.engine.model import Document
from apps.engine.parsing.documents.converters import Converters
from apps.engine.parsing.large_pages import LargePages, is_large
from apps.engine.parsing.processes import ParsingFailed
from apps.engine.parsing.site_lists.site_list import SiteList

LONGEST_WAIT = 60.0
Resolve = Callable[[str], Awaitable[str]]
"""The first address of a host, empty if it has none."""


class CrawlControl:
    """The request loops' view of a crawl. If `halted` is set, no more requests start."""

    def __init__(
        self,
        *,
        frontier: Frontier,
        fetcher: PoliteFetcher,
        limits: Limits,
        pace: Pace,
        in_flight: int,
        clock: Callable[[], float],
        turns: Turns,
        large_pages: LargePages,
        converters: Converters | None,
        rendering: Rendering | None,
        time: LoopTime,
        resolve: Resolve | None = None,
    ) -> None:
        self.halted: StopReason | None = None
        self.time = time
        self._resolve = resolve
        self._turns = turns
        self._large_pages = large_pages
        self._converters = converters
        self._rendering = rendering
        self.clock = clock
        self.fetcher = fetcher
        self._frontier = frontier
        self._limits = limits
        self._pace = pace
        self._in_flight = in_flight

    def may_start(self, under_way: int) -> bool:
        """Whether one more request may start while `under_way` are in flight."""
        return (
            self.halted is None
            and under_way < self._in_flight
            and self._limits.leave_room(under_way)
        )

    def hindrance(self, under_way: int) -> Hindrance:
        """Why no further request may start, after `pick` returned none."""
        if self.halted is not None:
            return Hindrance.ENDING
        if under_way >= self._in_flight:
            return Hindrance.AT_ONCE
        if not self._limits.leave_room(under_way):
            return Hindrance.BUDGET
        if not self._pace.is_open():
            return Hindrance.PACE
        return Hindrance.HOSTS if self._frontier.waiting else Hindrance.FRONTIER

    def pick(self, under_way: int) -> int | None:
        """Takes the best URL whose host is free; None if no request may start."""
        if not self.may_start(under_way) or not self._pace.is_open():
            return None
        number = self._frontier.pick(self.clock())
        if number is not None:
            self._pace.start()
        return number

    async def is_crowded(self, number: int) -> bool:
        """Whether enough other hosts are asked at the address of a picked URL's host, which is
        looked up once."""
        host = self._frontier.host_of(number)
        if self._resolve is None or not self._frontier.hosts.lacks_address(host):
            return False
        address = await self._resolve(host.name)
        return not self._frontier.hosts.learn_address(host, address, self.clock())

    async def request(self, number: int) -> tuple[Answer, Document | SiteList | None]:
        """Fetches a picked URL. A document is converted and a large page is parsed at once; both
        are returned with their `Document`. A sitemap or a feed is read in another thread; what
        only looks like one is a page."""
        answer = await self.fetcher.fetch(self._frontier.urls[number])
        lists = self._turns.site_lists
        if lists.may_be_list(number, answer):
            listed = await asyncio.to_thread(lists.read, answer)
            if listed is not None or lists.is_asked(number):
                return answer, listed
        if answer.failure:
            return answer, answer.document
        if self._converters is not None and is_document(answer.body):
            if self._turns.refusal(number, answer) is None:
                answer = await self._converters.read(answer)
            return answer, answer.document
        return await self._read_page(number, answer)

    async def _read_page(
        self, number: int, answer: Answer
    ) -> tuple[Answer, Document | SiteList | None]:
        """A large page is parsed, one that needs scripts is rendered if the crawl does that."""
        document = answer.document
        if document is None and is_large(answer):
            if self._turns.refusal(number, answer):
                return answer, None
            answer, document = await self._parse_large(answer)
        if self._rendering is None or answer.failure or self._turns.refusal(number, answer):
            return answer, document
        return await self._rendering.read(answer, document)

    async def _parse_large(self, answer: Answer) -> tuple[Answer, Document | None]:
        try:
            return answer, await self._large_pages.parse(answer)
        except ParsingFailed as error:
            return replace(answer, failure=Failure.TOO_COMPLEX, detail=str(error), body=b""), None

    def apply(self, number: int, answer: Answer, parsed: Document | SiteList | None = None) -> None:
        """Processes an answer; `parsed` is its document if it has been parsed already."""
        self._turns.apply(number, answer, parsed)

    def put_back(self, number: int) -> None:
        """Returns a picked URL to the frontier; its answer is dropped."""
        self._frontier.put_back(number, self.clock())

    def next_turn(self) -> float | None:
        """The next time a request may start, or None if no host becomes free without an answer."""
        if not self._pace.is_open():
            return self._pace.next_time()
        return self._frontier.hosts.next_time(self.clock())

    def ending(self) -> StopReason | None:
        """Why a crawl without requests in flight ends; None if it only has to wait."""
        reason = self.halted or self._limits.reached()
        if reason is not None:
            return reason
        if self._frontier.waiting == 0:
            had_any = self._limits.pages or self._frontier.revisits.due
            return StopReason.FRONTIER_EMPTY if had_any else StopReason.NO_SEEDS
        if not self._pace.is_open():
            return None
        turn = self.next_turn()
        if turn is None or turn - self.clock() > LONGEST_WAIT:
            return StopReason.ALL_HOSTS_BLOCKED
        return None
