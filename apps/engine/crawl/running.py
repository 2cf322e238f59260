"""The request loops: one request at a time on a recorded web, several in parallel over HTTP.

Both run in the crawl's own process, the coordinator; `apps.engine.agents` describes the
agents' part.
"""

from __future__ import annotations

import asyncio
from collections import deque

from apps.engine import series
from apps.engine.answers import Answer
from apps.engine.codes import StopReason
from apps.engine.crawl.control import CrawlControl
from apps.engine.crawl.fetching.outage import UNREACHED, Outage
from apps.engine.model import Document
from apps.engine.parsing.site_lists.site_list import SiteList

GRACE_SECONDS = 3.0


class OneByOne:
    """Applies answers in the order of picking, so that the crawl is reproducible."""

    under_way = 0

    def __init__(self, crawl: CrawlControl) -> None:
        self._crawl = crawl
        self._event = asyncio.Event()

    async def step(self, until: float) -> StopReason | None:
        """Applies one answer, or waits for the pace. Returns a reason if the crawl ends."""
        number = self._crawl.pick(under_way=0)
        if number is None:
            reason = self._crawl.ending()
            if reason is None:
                await _wait(self._event, self._crawl, 0, until)
            return reason
        self._crawl.apply(number, *await self._crawl.request(number))
        return None

    def wake(self) -> None:
        """Ends a wait at once."""
        self._event.set()

    def cancel(self) -> None:
        """Does nothing: no request is in flight between two steps."""


class ManyAtOnce:
    """Applies answers as they arrive; each host has one request in flight at most."""

    def __init__(self, crawl: CrawlControl, outage: Outage) -> None:
        self._crawl = crawl
        self._outage = outage
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._done: deque[tuple[int, Answer, Document | SiteList | None]] = deque()
        self._error: Exception | None = None
        self._event = asyncio.Event()
        self._probe: asyncio.Task[bool] | None = None
        self._series_ends = 0.0
        self._crowded: list[int] = []

    @property
    def under_way(self) -> int:
        """How many requests are in flight."""
        return len(self._tasks) + len(self._outage)

    async def step(self, until: float) -> StopReason | None:
        """Applies one answer, or waits for one. Returns a reason if the crawl ends."""
        if self._error is not None:
            raise self._error
        if self._probe is not None and self._probe.done():
            self._settle_outage(nothing_else=True)
        self._put_back_crowded()
        self._start()
        if self._done:
            self._take(*self._done.popleft())
            if not self._done or self._crawl.clock() >= self._series_ends:
                await self._gather()
            return None
        if not self._tasks:
            if self._outage and self._nothing_else():
                self._settle_outage(nothing_else=True)
            if not self._outage and (reason := self._crawl.ending()) is not None:
                return reason
        if self._crawl.halted is not None:
            await self._drain()
        else:
            await _wait(self._event, self._crawl, self.under_way, until)
            self._series_ends = self._crawl.clock() + series.LONGEST
        return None

    def wake(self) -> None:
        """Ends a wait at once."""
        self._event.set()

    def cancel(self) -> None:
        """Cancels the requests in flight."""
        for task in (*self._tasks.values(), *filter(None, (self._probe,))):
            task.cancel()

    def _start(self) -> None:
        while (number := self._crawl.pick(self.under_way)) is not None:
            self._tasks[number] = asyncio.create_task(self._request(number))

    async def _request(self, number: int) -> None:
        try:
            if await self._crawl.is_crowded(number):
                self._crowded.append(number)
            else:
                self._done.append((number, *await self._crawl.request(number)))
        except Exception as error:
            self._error = error  # a defect of the program: the next step raises it
        self._event.set()

    def _put_back_crowded(self) -> None:
        while self._crowded:
            number = self._crowded.pop()
            del self._tasks[number]
            self._crawl.put_back(number)

    def _take(self, number: int, answer: Answer, parsed: Document | SiteList | None) -> None:
        """Applies an answer, and those held back until the network was seen to be up."""
        del self._tasks[number]
        for settled, its_answer in self._outage.settle(number, answer):
            self._crawl.apply(settled, its_answer, parsed if settled == number else None)
        if not self._outage:
            self._cancel_probe()
        if self._outage.is_suspected(nothing_else=False):
            self._settle_outage(nothing_else=False)

    async def _gather(self) -> None:
        await series.gather()
        self._series_ends = self._crawl.clock() + series.LONGEST

    def _nothing_else(self) -> bool:
        """Whether no other request can start."""
        return not self._crawl.may_start(self.under_way) or self._crawl.next_turn() is None

    def _settle_outage(self, nothing_else: bool) -> None:
        """Decides whether the network is down or the hosts are dead, once no host answers.

        If the network may be down, hosts that answered before are probed first.
        """
        crawl = self._crawl
        cut = crawl.halted is not None
        if not cut and self._outage.is_suspected(nothing_else):
            if self._probe is None:
                self._probe = asyncio.create_task(self._network_is_up())
                self._probe.add_done_callback(lambda _: self._event.set())
            if not self._probe.done():
                return
            cut = not self._probe.result()
        self._cancel_probe()
        for number, answer in self._outage.release():
            if cut:
                crawl.put_back(number)
            else:
                crawl.apply(number, answer)
        if cut and crawl.halted is None:
            crawl.halted = StopReason.NO_NETWORK

    def _cancel_probe(self) -> None:
        if self._probe is not None:
            self._probe.cancel()
            self._probe = None

    async def _network_is_up(self) -> bool:
        """Whether a host that gave a page before answers a probe, or another has answered
        meanwhile.

        Without the probes, a single page that never answers would look like an outage each time.
        """
        for url in self._outage.witnesses():
            if (await self._crawl.fetcher.probe(url)).failure not in UNREACHED:
                return True
        return any(answer.failure not in UNREACHED for _, answer, _ in self._done)

    async def _drain(self) -> None:
        """Waits a few seconds for the requests in flight, then puts the unfinished ones back."""
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=GRACE_SECONDS)
            self._put_back_crowded()
        finished = {number for number, _, _ in self._done}
        for number in [n for n in self._tasks if n not in finished]:
            self._tasks.pop(number).cancel()
            self._crawl.put_back(number)


async def _wait(event: asyncio.Event, crawl: CrawlControl, under_way: int, until: float) -> None:
    """Waits for the event, the next request's turn or the time `until`, whichever comes first."""
    event.clear()
    turn = crawl.next_turn() if crawl.may_start(under_way) else None
    hindrance, begun = crawl.hindrance(under_way), crawl.clock()
    seconds = min(until, until if turn is None else turn) - begun
    timer = asyncio.get_running_loop().call_later(max(seconds, 0.0), event.set)
    try:
        await event.wait()
    finally:
        timer.cancel()
        crawl.time.waited(hindrance, crawl.clock() - begun)
