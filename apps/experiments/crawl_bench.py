"""The CPU of a page in a whole crawl over HTTP, in one process and with agents, and what httpx and
lxml alone take for the same pages."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import ssl
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import httpx
from httpx_aiohttp import AiohttpTransport
from lxml import html

from apps.demo.web import DemoWeb
from apps.engine.agents.agents import Agents
from apps.engine.crawl.loop import Crawl
from apps.engine.crawl.plan import Plan
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.address_guard import AddressGuard
from apps.engine.networking.connections import GuardedResolver, Served, open_session
from apps.engine.networking.exchange import Equipment, HttpExchange
from apps.engine.networking.http_fetcher import HttpFetcher
from apps.engine.networking.page_store import PageStoreWriter
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.web_server import WebServer

USER_AGENT = "crawlsite-bench"
STRATEGY = "text_window_combo"
AT_ONCE = 16
SCRAPY = Path(__file__).with_name("scrapy_crawl.py")


@dataclass(frozen=True, slots=True)
class CrawlCost:
    """Microseconds of CPU a page: of the crawl's own process (`coordinator`) and of all `of_agents`
    together; `pages_per_second` is by the wall clock."""

    pages: int
    agents: int
    coordinator: float
    of_agents: float
    pages_per_second: float


def crawl_cost(
    model: TopicModel, served: Served, pages: int, folder: Path, agents: int
) -> CrawlCost:
    """Crawls so many pages: every page is judged, every link scored, every body archived in
    `folder`; no rows are written. The start of agents is not counted."""
    return asyncio.run(_crawl_cost(model, served, pages, folder, agents))


async def _crawl_cost(
    model: TopicModel, served: Served, pages: int, folder: Path, agents: int
) -> CrawlCost:
    equipment = Equipment(AddressGuard(), USER_AGENT, served=served)
    exchange = Agents(equipment, agents) if agents else HttpExchange(equipment)
    if isinstance(exchange, Agents):
        await exchange.start()
    store = PageStoreWriter(folder / f"{agents}.warc.gz")
    crawl = Crawl(
        Plan(pages, 5 * pages, politeness=Politeness(delay=0.0, concurrent=AT_ONCE)),
        model, strategy(STRATEGY)(), HttpFetcher(equipment, exchange=exchange),
        committee=model.committee(), store=store,
    )  # fmt: skip
    crawl.start()
    begun, own, theirs = time.perf_counter(), time.process_time(), exchange.cpu_seconds
    try:
        async for batch in crawl.run():
            fetched = batch.totals.pages
        wall, own = time.perf_counter() - begun, time.process_time() - own
        theirs = exchange.cpu_seconds - theirs
    finally:
        await exchange.close()
        store.close()
    return CrawlCost(fetched, agents, own / fetched * 1e6, theirs / fetched * 1e6, fetched / wall)


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


def scrapy_cost(python: str, port: int, seeds: Sequence[str], pages: int, folder: Path) -> float:
    """Microseconds of CPU a page of a crawl by Scrapy (`scrapy_crawl.py`) of the web on that port.

    `python` is an interpreter that has Scrapy. Raises CalledProcessError with what it said if the
    crawl fails.
    """
    # Isolated (-I), so that the modules beside the script do not stand for those of the library.
    done = subprocess.run(
        [python, "-I", str(SCRAPY), str(port), str(pages), str(folder / "scrapy.jsonl"), *seeds],
        capture_output=True, text=True, check=True,
    )
    return float(json.loads(done.stdout)["cpu"])


@contextmanager
def served_demo(seed: int) -> Iterator[int]:
    """The port of the demo web, served by a separate process."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    server = spawn.Process(target=_serve, args=(seed, theirs), daemon=True)
    server.start()
    try:
        yield int(ours.recv())
    finally:
        server.terminate()
        server.join()


def _serve(seed: int, pipe: Connection) -> None:
    async def serve() -> None:
        async with WebServer(DemoWeb(seed)) as server:
            pipe.send(server.port)
            await asyncio.Event().wait()

    asyncio.run(serve())
