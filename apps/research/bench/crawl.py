"""The CPU of a page in a whole crawl over HTTP, in one process and with agents, and what httpx and
lxml alone take for the same pages."""

from __future__ import annotations

import asyncio
import multiprocessing
import ssl
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import httpx
import numpy as np
from httpx_aiohttp import AiohttpTransport
from lxml import html

from apps.engine.agents.agents import Agents
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.address_guard import AddressGuard
from apps.engine.networking.connections import GuardedResolver, Served, open_session
from apps.engine.networking.exchange import Equipment, HttpExchange
from apps.engine.networking.http_fetcher import HttpFetcher
from apps.engine.networking.page_store.store import PageStoreWriter
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.webs.server import WebServer
from apps.research.bench.articles import ArticleWeb
from apps.research.bench.process_time import process_seconds

USER_AGENT = "crawlsite-bench"
STRATEGY = "text_window_combo"
AT_ONCE = 16
WARM = 0.2
"""The share of the pages that are not measured, nor of the other crawlers: what is loaded and
learned but once is not the cost of a page."""
Mark = tuple[int, float, float, float, float]
"""The pages so far, the CPU seconds of this process, of agents and of the web's, and the time."""


@dataclass(frozen=True, slots=True)
class ServedWeb:
    """A web that another process of this machine serves, by its number."""

    served: Served
    process: int

    @property
    def cpu_seconds(self) -> float:
        """The processor time that serving it has taken so far."""
        return process_seconds(self.process)


@dataclass(frozen=True, slots=True)
class CrawlCost:
    """Microseconds of CPU a page: of the crawl's own process (`coordinator`), of all `of_agents`
    together, and `of_web`, of the process that serves it; `pages_per_second` is by the wall clock.
    All are without the first fifth of the `pages`."""

    pages: int
    agents: int
    coordinator: float
    of_agents: float
    of_web: float
    pages_per_second: float


def crawl_cost(
    model: TopicModel,
    web: ServedWeb,
    pages: int,
    folder: Path,
    agents: int = 0,
    strategy_id: str = STRATEGY,
) -> CrawlCost:
    """Crawls so many pages by that strategy: every page is judged, every link scored, every body
    archived in `folder`; no rows are written. The start and the first fifth of the pages are not
    counted, if there are enough."""
    return asyncio.run(_crawl_cost(model, web, pages, folder, agents, strategy_id))


async def _crawl_cost(
    model: TopicModel, web: ServedWeb, pages: int, folder: Path, agents: int, strategy_id: str
) -> CrawlCost:
    equipment = Equipment(AddressGuard(), USER_AGENT, served=web.served)
    exchange = Agents(equipment, agents) if agents else HttpExchange(equipment)
    if isinstance(exchange, Agents):
        await exchange.start()
    store = PageStoreWriter(folder / f"{strategy_id}-{agents}.warc.gz")
    crawl = CrawlLoop(
        Plan(pages, 5 * pages, politeness=Politeness(delay=0.0, concurrent=AT_ONCE)),
        model,
        strategy(strategy_id)(),
        HttpFetcher(equipment, exchange=exchange),
        committee=model.committee(),
        store=store,
    )
    crawl.start()

    def mark(fetched: int) -> Mark:
        seconds = time.process_time(), exchange.cpu_seconds, web.cpu_seconds
        return fetched, *seconds, time.perf_counter()

    marks = [mark(0)]
    try:
        async for batch in crawl.run():
            marks.append(mark(batch.totals.pages))
    finally:
        await exchange.close()
        store.close()
    n, *seconds, wall = np.subtract(marks[-1], warm(marks)).tolist()
    own, of_agents, of_web = (each / n * 1e6 for each in seconds)
    return CrawlCost(marks[-1][0], agents, own, of_agents, of_web, n / wall)


def warm(marks: Sequence[Mark]) -> Mark:
    """The first of a crawl's marks after a fifth of its pages, or its start if that leaves none."""
    pages = marks[-1][0]
    return next((mark for mark in marks if WARM * pages <= mark[0] < pages), marks[0])


def floor_cost(served: Served, urls: Sequence[str]) -> float:
    """Microseconds of CPU a page to get these pages by httpx, as many at once as the crawl, and to
    read their text and links by lxml."""
    begun = time.process_time()
    asyncio.run(_get_and_read(served, urls))
    return (time.process_time() - begun) / len(urls) * 1e6


async def _get_and_read(served: Served, urls: Sequence[str]) -> None:
    guard, context = AddressGuard(), ssl.create_default_context()
    resolver, left = GuardedResolver(guard, served), iter(urls)
    session = open_session(guard, served, resolver, context)

    async def read_on(client: httpx.AsyncClient) -> None:
        for url in left:
            page = html.fromstring((await client.get(url)).content)
            page.text_content()
            page.xpath("//a/@href")

    async with httpx.AsyncClient(transport=AiohttpTransport(client=session)) as client:
        await asyncio.gather(*(read_on(client) for _ in range(AT_ONCE)))
    await session.close()
    await resolver.close()


@contextmanager
def served_web(script: str | None) -> Iterator[ServedWeb]:
    """The web of articles in that script, served by a separate process."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    server = spawn.Process(target=_serve, args=(script, theirs), daemon=True)
    server.start()
    try:
        assert server.pid is not None
        yield ServedWeb(Served(ArticleWeb(script).hosts, "127.0.0.1", ours.recv()), server.pid)
    finally:
        server.terminate()
        server.join()


def _serve(script: str | None, pipe: Connection) -> None:
    async def serve() -> None:
        async with WebServer(ArticleWeb(script)) as server:
            pipe.send(server.port)
            await asyncio.Event().wait()

    asyncio.run(serve())
