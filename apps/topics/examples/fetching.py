"""Fetching the pages of examples: from a recorded web at once, from the live Web politely."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from django.conf import settings

from apps.engine import urls
from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.kinds import is_document
from apps.engine.networking.address_guard import AddressGuard
from apps.engine.networking.bot_walls import is_wall
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.robots.files import Robots
from apps.engine.networking.robots.tag import robots_tag
from apps.engine.networking.webs import virtual_web
from apps.engine.parsing.documents.converters import Converters
from apps.webs.models import Web
from apps.webs.opening import open_web

if TYPE_CHECKING:
    from apps.engine.networking.fetcher import Fetcher

POLITENESS = Politeness(delay=2.0, concurrent=16)
LONGEST_WAIT = 120.0

Answers = Iterator[tuple[str, Answer]]
FetchAll = Callable[[Sequence[str]], Answers]


def fetch_all(web: Web | None) -> FetchAll:
    """The function that fetches from that web (None: the live Web).

    It yields (URL, answer) in the order they arrive, and never fails for a page or the network. A
    recorded web is opened with the first page; that raises BadWebFile if it cannot be done.
    """
    if web is None or not web.is_recorded:
        return fetch_live
    return partial(read_recorded, web)


def read_recorded(web: Web, wanted: Sequence[str]) -> Answers:
    """Answers of a recorded web. Raises BadWebFile as `fetch_all`."""
    if wanted:
        opened = open_web(web)
        yield from ((url, virtual_web.read(opened, url)) for url in wanted)


def fetch_live(wanted: Sequence[str]) -> Answers:
    """Fetches over HTTP through the address guard, obeying robots.txt, with 2 s between two
    requests to a host."""
    # Slow to import, and only what fetches needs them.
    from apps.engine.networking.exchange import Equipment
    from apps.engine.networking.http_fetcher import HttpFetcher

    guard = AddressGuard(settings.ALLOWED_ADDRESSES)
    equipment = Equipment(guard, settings.USER_AGENT, documents=True, proxy=settings.CRAWL_PROXY)
    return fetch_with(lambda: HttpFetcher(equipment), wanted, POLITENESS)


def fetch_with(
    make_fetcher: Callable[[], Fetcher], wanted: Sequence[str], politeness: Politeness
) -> Answers:
    """Fetches in another thread, so that the caller may use the database between answers.

    Stops when the caller stops iterating.
    """
    answers: queue.SimpleQueue[tuple[str, Answer] | BaseException | None] = queue.SimpleQueue()
    stop = threading.Event()

    def work() -> None:
        try:
            asyncio.run(_fetch_all(make_fetcher(), wanted, politeness, answers.put, stop))
            answers.put(None)
        except BaseException as error:
            answers.put(error)

    thread = threading.Thread(target=work, name="examples", daemon=True)
    thread.start()
    try:
        while (answer := answers.get()) is not None:
            if isinstance(answer, BaseException):
                raise answer
            yield answer
    finally:
        stop.set()
        thread.join()


async def _fetch_all(
    fetcher: Fetcher,
    wanted: Iterable[str],
    politeness: Politeness,
    put: Callable[[tuple[str, Answer]], None],
    stop: threading.Event,
) -> None:
    converters = Converters()
    polite = ExampleFetcher(fetcher, settings.USER_AGENT, politeness, converters)

    async def one(url: str) -> None:
        put((url, await polite.fetch(url)))

    tasks = [asyncio.create_task(one(url)) for url in wanted]
    try:
        await _all_or_stopped(tasks, stop)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await fetcher.close()
        await converters.close()


async def _all_or_stopped(tasks: Sequence[asyncio.Task[None]], stop: threading.Event) -> None:
    waiting = set(tasks)
    while waiting and not stop.is_set():
        done, waiting = await asyncio.wait(
            waiting, timeout=0.2, return_when=asyncio.FIRST_EXCEPTION
        )
        for task in done:
            task.result()


class ExampleFetcher:
    """One request at a time to a host, with a pause after each, as robots.txt allows.

    A turn is taken before the fetch, so that waiting does not count towards its deadline; a
    redirect to another host waits for that host's turn too. A host that asks for a pause of more
    than two minutes is not waited for: its other URLs fail with the same kind of failure.
    PDF and office documents are read like pages.
    """

    def __init__(
        self, fetcher: Fetcher, user_agent: str, politeness: Politeness, converters: Converters
    ) -> None:
        self._fetcher = fetcher
        self._converters = converters
        self._robots = Robots(user_agent)
        self._politeness = politeness
        self._slots = asyncio.Semaphore(politeness.concurrent)
        self._hosts: dict[str, asyncio.Lock] = {}
        self._free_at: dict[str, float] = {}
        self._last_failure: dict[str, str] = {}

    async def fetch(self, url: str) -> Answer:
        """The answer; a block page, a page with noindex and a URL disallowed by robots.txt are
        failures."""
        async with self._hosts.setdefault(urls.host(url), asyncio.Lock()), self._slots:
            refused = self._shut(url) or await self._refusal(url)
            if refused:
                return Answer(url, url, failure=refused, fetched_at=time.time())
            await self._turn(url)
            answer = await self._fetcher.fetch(url, lambda hop: self._gate(url, hop))
            self._rest(url, answer)
            self._rest(answer.final_url, answer)
        if not answer.failure and is_document(answer.body):
            answer = await self._converters.read(answer)
        return self._check_answer(answer)

    async def _gate(self, requested: str, hop: str) -> str | None:
        if hop == requested:
            return None
        refused = self._shut(hop) or await self._refusal(hop)
        if refused is None:
            await self._turn(hop)
        return refused

    def _shut(self, url: str) -> str | None:
        """The failure of a host that requires a long pause, or None."""
        name = urls.host(url)
        if self._free_at.get(name, 0.0) - time.monotonic() > LONGEST_WAIT:
            return self._last_failure.get(name)
        return None

    async def _refusal(self, url: str) -> str | None:
        """Why robots.txt disallows the URL, or None; an unreachable host is left for the fetch to
        report."""
        rules = await self._robots.rules(url, self._fetch_robots)
        if rules.allows(url):
            return None
        unreachable = rules.unreachable or str(Failure.ROBOTS)
        return str(Failure.ROBOTS_UNREACHABLE) if unreachable.startswith("http_") else unreachable

    async def _fetch_robots(self, url: str) -> Answer:
        await self._turn(url)
        answer = await self._fetcher.fetch(url, any_type=True)
        self._rest(url, answer)
        return answer

    async def _turn(self, url: str) -> None:
        """Waits until a request may be sent to the host, and takes the turn."""
        name, now = urls.host(url), time.monotonic()
        turn = max(now, self._free_at.get(name, 0.0))
        rules = self._robots.cached(url)
        pause = self._politeness.delay_for(rules.crawl_delay if rules else None)
        self._free_at[name] = turn + pause
        if turn > now:
            await asyncio.sleep(turn - now)

    def _rest(self, url: str, answer: Answer) -> None:
        """Sets the pause after an answer, longer if the host asks for it."""
        name = urls.host(url)
        free_at = time.monotonic() + self._politeness.delay_after(answer)
        self._free_at[name] = max(self._free_at.get(name, 0.0), free_at)
        if answer.failure:
            self._last_failure[name] = answer.failure

    def _check_answer(self, answer: Answer) -> Answer:
        if is_wall(answer):
            return replace(answer, failure=str(Failure.BLOCK_PAGE))
        noindex, _ = robots_tag(answer, self._robots.user_agent)
        if noindex and not answer.failure:
            return replace(answer, failure=str(Failure.NOINDEX))
        return answer
