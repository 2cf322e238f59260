"""Agents: the same pages in the same order as without them, whatever becomes of their processes."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from apps.engine.agents import agents as coordinating
from apps.engine.agents.agents import Agents
from apps.engine.agents.balance import Balance
from apps.engine.agents.pipe import PipeChannel
from apps.engine.answers import Answer
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.address_guard import AddressGuard
from apps.engine.networking.connections import Served
from apps.engine.networking.exchange import Equipment, Hop
from apps.engine.networking.http_fetcher import HttpFetcher
from apps.engine.networking.page_store.records import with_body
from apps.engine.networking.page_store.store import PageStore, PageStoreWriter
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.robots.files import Robots
from apps.engine.networking.webs.server import WebServer
from apps.engine.parsing.contexts.layout import layout
from apps.engine.parsing.document import parse
from apps.engine.parsing.main_text import parse_judged
from tests.engine.crawl.crawls import batches_of, requests_of
from tests.made_web import MadeWeb, bread_topic

WEB = MadeWeb(pages=60, hosts=4)


class SlowWeb(MadeWeb):
    """Tells which pages are asked for, before they are answered."""

    def __init__(self, **size: int) -> None:
        super().__init__(**size)
        self.asked: list[str] = []

    def get(self, url: str) -> Answer:
        self.asked.append(url)
        return super().get(url)


class OddWeb(MadeWeb):
    """A page that sends its readers on, and one that blocks them."""

    def get(self, url: str) -> Answer:
        html = {
            self.url(1): f"<meta http-equiv=refresh content='0; url={self.url(6)}'><p>words",
            self.url(2): "<title>Just a moment</title><p>Verify that you are human: a captcha",
        }.get(url)
        if html is None:
            return super().get(url)
        return Answer(url, url, 200, (("Content-Type", "text/html"),), html.encode())


@asynccontextmanager
async def served(web: MadeWeb, latency: float = 0.0, **values: Any) -> AsyncIterator[Equipment]:
    """The equipment for a web that is served meanwhile."""
    async with WebServer(web, latency=latency) as server:
        served = Served(frozenset(web.hosts), "127.0.0.1", server.port)
        yield replace(Equipment(AddressGuard(), "test/1.0", served=served), **values)


@asynccontextmanager
async def agents_for(
    web: MadeWeb, count: int = 1, latency: float = 0.0, silent: float = 30.0, **values: Any
) -> AsyncIterator[tuple[Agents, HttpFetcher]]:
    """Agents that are ready, and a fetcher by them."""
    async with served(web, latency, **values) as equipment:
        agents = Agents(equipment, count, silent)
        fetcher = HttpFetcher(equipment, exchange=agents)
        try:
            await agents.start()
            yield agents, fetcher
        finally:
            await fetcher.close()


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not true():
            await asyncio.sleep(0.01)


def pid_of(agents: Agents, position: int = 0) -> int:
    agent = agents.agents[position]
    assert agent is not None and agent.process is not None
    return agent.process.pid


async def test_a_page_of_an_agent_is_the_page(tmp_path: Path) -> None:
    async with agents_for(WEB) as (agents, fetcher):
        store = PageStoreWriter(tmp_path / "pages.warc.gz")
        for i in (0, 5, 13):
            answer = await fetcher.fetch(WEB.url(i))
            assert answer.body == b"" and answer.packed is not None  # it does not travel twice
            assert answer.size == len(WEB.get(WEB.url(i)).body)
            # The record of an answer does not say how many bytes were sent.
            bare = replace(with_body(answer), document=None, packed=None, size=0)
            assert bare.body == WEB.get(WEB.url(i)).body
            assert PageStore(tmp_path).read(store.append(answer)) == bare
            document, expected = answer.document, parse(bare)
            assert document is not None
            assert [*document.words] == expected.words
            assert document.links.urls == expected.links.urls
            for made_here in (layout(document), layout(document)):
                assert made_here.start.tolist() == layout(expected).start.tolist()
        assert agents.cpu_seconds > 0
        (agent,) = agents.agents
    assert agent is not None and agent.process is not None
    assert agent.process.returncode is not None  # it ends with its coordinator


async def test_an_agent_reads_the_main_text_if_pages_are_judged_by_it() -> None:
    url, mains = WEB.url(5), []
    async with served(WEB) as equipment:
        for main_text in (False, True):
            agents = Agents(replace(equipment, main_text=main_text), 1)
            fetcher = HttpFetcher(equipment, exchange=agents)
            try:
                await agents.start()
                document = (await fetcher.fetch(url)).document
                assert document is not None
                mains.append(document.main)
            finally:
                await fetcher.close()
    assert mains[0] is None
    assert [*mains[1]] == [*parse_judged(WEB.get(url), main_text=True).main]


async def test_an_agent_whose_coordinator_goes_closes_its_connections(
    capfd: pytest.CaptureFixture[str],
) -> None:
    async with served(WEB) as equipment:
        line = PipeChannel()
        await line.start(equipment)
        now = time.time()
        await line.run(Hop(WEB.url(3), (), 60.0, False, now, time.monotonic()), False, 60.0)
        line._messages.close()
        assert line.process is not None
        async with asyncio.timeout(60):
            assert await line.process.wait() == 0
    assert capfd.readouterr().err == ""


async def test_the_requests_that_the_coordinator_keeps_are_sent_from_here() -> None:
    async with agents_for(WEB) as (agents, fetcher):
        agents._balance = Balance(clock=lambda: 0.0)  # the share stays
        for share, is_by_agent in ((1.0, False), (0.0, True)):
            agents._balance.share = share
            answer = await fetcher.fetch(WEB.url(3))
            assert (answer.document is not None) == is_by_agent
            assert with_body(answer).body == WEB.get(WEB.url(3)).body


async def test_redirects_and_failures_are_those_of_the_coordinator() -> None:
    async with agents_for(WEB) as (_, fetcher):
        moved = await fetcher.fetch("http://h0.test/5/old")
        assert (moved.url, moved.final_url) == ("http://h0.test/5/old", WEB.url(5))
        assert moved.document is not None and moved.packed is not None
        asked = []

        async def gate(url: str) -> str | None:
            asked.append(url)
            return "robots" if url == WEB.url(5) else None

        assert (await fetcher.fetch("http://h0.test/5/old", gate)).failure == "robots"
        assert asked == ["http://h0.test/5/old", WEB.url(5)]
        assert (await fetcher.fetch("http://h0.test/nothing")).failure == "http_404"
        assert (await fetcher.fetch("http://elsewhere.test/")).failure == "dns"
        rules = await fetcher.fetch("http://h0.test/robots.txt", any_type=True)
        assert rules.body.startswith(b"User-agent") and rules.document is None


async def test_an_agent_goes_through_the_address_guard() -> None:
    equipment = Equipment(AddressGuard(), "test/1.0")
    agents = Agents(equipment, 1)
    fetcher = HttpFetcher(equipment, exchange=agents)
    try:
        await agents.start()
        assert (await fetcher.fetch("http://127.0.0.1:1/")).failure == "address_refused"
    finally:
        await fetcher.close()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
async def test_the_requests_of_a_lost_agent_are_sent_again(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coordinating, "RESTART_SECONDS", 0.0)
    web = SlowWeb(pages=60, hosts=4)
    silent = 0.0 if number is signal.SIGSTOP else 30.0
    async with agents_for(web, latency=0.3, deadline=0.8, silent=silent) as (agents, fetcher):
        lost = pid_of(agents)
        web.asked.clear()
        if number is signal.SIGSTOP:
            os.kill(lost, number)
        fetches = [asyncio.create_task(fetcher.fetch(web.url(i))) for i in (4, 8)]
        if number is signal.SIGKILL:
            await until(lambda: len(web.asked) == 2)
            os.kill(lost, number)
        answers = await asyncio.gather(*fetches)
        assert [answer.failure for answer in answers] == [None, None]
        again = 2 if number is signal.SIGKILL else 1
        assert sorted(web.asked) == sorted([web.url(4), web.url(8)] * again)
        await until(lambda: all(agents.agents) and pid_of(agents) != lost)
        assert (await fetcher.fetch(web.url(12))).document is not None


async def test_agents_are_started_for_two_requests_at_once() -> None:
    async with served(WEB) as equipment:
        agents = Agents(equipment, 1)
        fetcher = HttpFetcher(equipment, exchange=agents)
        try:
            for i in (1, 2):
                assert (await fetcher.fetch(WEB.url(i))).document is None
            assert agents.cpu_seconds == 0
            await asyncio.gather(*(fetcher.fetch(WEB.url(i)) for i in (3, 4)))
            await until(lambda: all(agents.agents))
            assert (await fetcher.fetch(WEB.url(5))).document is not None
        finally:
            await fetcher.close()


async def crawled(
    fetcher: HttpFetcher,
    strategy_id: str,
    folder: Path,
    at_once: int = 1,
    each: Callable[[], None] = lambda: None,
) -> list[Any]:
    """Every request in order, and what each page was worth."""
    model = TopicModel(bread_topic(WEB), seed=1)
    politeness = Politeness(delay=0.0, concurrent=at_once)
    plan = Plan(1000, 5000, politeness=politeness, batch_requests=5, batch_seconds=600.0)
    store = PageStoreWriter(folder / f"{len(list(folder.iterdir()))}.warc.gz")
    crawl = CrawlLoop(
        plan,
        model,
        strategy(strategy_id)(),
        fetcher,
        store=store,
        committee=model.committee(),
        robots=Robots("test/1.0"),
    )
    crawl.start()
    batches = await batches_of(crawl, lambda batch: each())
    store.close()
    worth = [
        (p.answer.final_url, p.priority, p.topicality, p.outlinks.tolist(), p.record[3])
        for batch in batches
        for p in batch.pages
        if p.record
    ]
    return [requests_of(batches), worth]


async def crawled_alone(strategy_id: str, folder: Path, web: MadeWeb = WEB) -> list[Any]:
    """The same by a single process."""
    async with served(web) as equipment:
        fetcher = HttpFetcher(equipment)
        pages = await crawled(fetcher, strategy_id, folder)
        await fetcher.close()
    return pages


async def test_one_at_a_time_a_crawl_is_the_same_with_agents(tmp_path: Path) -> None:
    async with agents_for(WEB, count=2) as (_, fetcher):
        for strategy_id in ("text_window_combo", "tag_tree_combo"):
            pages = await crawled(fetcher, strategy_id, tmp_path)
            assert pages == await crawled_alone(strategy_id, tmp_path)


async def test_pages_whose_bodies_are_looked_at_are_the_same_with_agents(tmp_path: Path) -> None:
    # The host of the page that blocks rests: with others, what comes meanwhile depends on the load.
    web = OddWeb(pages=60, hosts=1)
    async with agents_for(web) as (_, fetcher):
        lent = await crawled(fetcher, "text_window_combo", tmp_path)
    assert lent == await crawled_alone("text_window_combo", tmp_path, web)
    requests, pages = lent
    assert f"{web.url(2)} block_page" in [what for _, what in requests]
    assert (web.url(6) in [url for url, *_ in pages]) and web.url(1) not in [u for u, *_ in pages]


async def test_agents_killed_during_a_crawl_lose_no_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coordinating, "RESTART_SECONDS", 0.0)
    killed: list[int] = []
    async with agents_for(WEB) as (agents, fetcher):

        def kill() -> None:
            agent = agents.agents[0]
            if agent is not None and agent.process is not None and not killed:
                killed.append(agent.process.pid)
                agent.process.kill()

        _, pages = await crawled(fetcher, "breadth_first", tmp_path, 4, kill)
    _, expected = await crawled_alone("breadth_first", tmp_path)
    assert sorted(page[0] for page in pages) == sorted(page[0] for page in expected)
    assert killed and len(pages) > 40
