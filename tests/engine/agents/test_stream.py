"""Agents of other machines: the same pages, whatever becomes of them, of Redis or of a crawl."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from redis import from_url

from apps.engine.agents.agents import Agents
from apps.engine.agents.broker import (
    GROUP,
    AgentBroker,
    AgentHeartbeat,
    Clock,
    CoordinatorHeartbeat,
    read_sessions,
)
from apps.engine.agents.lent_agent import LentAgent
from apps.engine.agents.messages import FetchTask, Reply
from apps.engine.agents.stream import StreamChannel
from apps.engine.answers import Answer
from apps.engine.networking.address_guard import AddressGuard
from apps.engine.networking.exchange import Hop
from apps.engine.networking.http_fetcher import HttpFetcher
from apps.engine.networking.page_store.records import with_body
from apps.engine.networking.proxy import Proxy
from apps.engine.parsing.contexts.layout import layout
from apps.engine.parsing.document import parse
from tests.engine.agents.lent_process import broker_at
from tests.engine.agents.test_agents import SlowWeb, served, until
from tests.made_web import MadeWeb
from tests.own_redis import OwnRedis, own_redis
from tests.running_site import ROOT

WEB = MadeWeb(pages=60, hosts=4)


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[OwnRedis]:
    with own_redis(tmp_path) as server:
        yield server


@asynccontextmanager
async def agent_here(
    broker: AgentBroker,
    name: str = "a",
    room: int = 8,
    guard: AddressGuard | None = None,
    proxy: Proxy | None = None,
) -> AsyncIterator[LentAgent]:
    """An agent in this process."""
    ended = False
    agent = LentAgent(
        broker,
        name,
        AgentHeartbeat(machine="here", room=room),
        guard or AddressGuard(),
        lambda: ended,
        proxy,
    )
    serving = asyncio.create_task(agent.serve())
    try:
        yield agent
    finally:
        ended = True
        await serving


@contextmanager
def agent_elsewhere(
    redis: OwnRedis, name: str = "b", room: int = 8
) -> Iterator[subprocess.Popen[bytes]]:
    """An agent in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.engine.agents.lent_process", redis.url, name, str(room)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@asynccontextmanager
async def crawl_of(
    web: MadeWeb, broker: AgentBroker, session: str = "1.1", latency: float = 0.0, **values: Any
) -> AsyncIterator[tuple[Agents, StreamChannel, HttpFetcher]]:
    """A coordinator without agents of its own machine, that has opened its session."""
    async with served(web, latency, **values) as equipment:
        line = StreamChannel(broker, session)
        agents = Agents(equipment, 0, lent=line)
        try:
            await line.open(equipment)
            yield agents, line, HttpFetcher(equipment, exchange=agents)
        finally:
            await agents.close()


async def pages(fetcher: HttpFetcher, web: MadeWeb, *numbers: int) -> list[Answer]:
    """The pages of those numbers, all asked for at once."""
    return await asyncio.gather(*(fetcher.fetch(web.url(i)) for i in numbers))


async def test_a_page_of_a_lent_agent_is_the_page(redis: OwnRedis) -> None:
    broker = broker_at(redis.url)
    async with crawl_of(WEB, broker) as (agents, line, fetcher), agent_here(broker):
        await until(lambda: line.agents)
        answers = await pages(fetcher, WEB, 4, 5, 13)
        # The first of several under way is sent from here.
        assert [answer.document is not None for answer in answers] == [False, True, True]
        for answer in answers[1:]:
            assert answer.packed is not None
            bare = replace(with_body(answer), document=None, packed=None)
            assert bare.body == WEB.get(answer.url).body
            assert answer.document is not None and 0 < answer.seconds < 60
            assert answer.document.words == parse(bare).words
            assert layout(answer.document).start.tolist() == layout(parse(bare)).start.tolist()
        assert agents.given_again == 0 and agents.cpu_seconds > 0
        assert agents.serving[:3] == (0, 1, 0.0)
        assert (await fetcher.fetch(WEB.url(6))).document is None  # one at a time: from here


async def test_a_suspended_agent_sends_nothing_that_was_given_out_again(redis: OwnRedis) -> None:
    web, broker = SlowWeb(pages=60, hosts=4), broker_at(redis.url)
    async with crawl_of(web, broker) as (agents, line, fetcher):
        with agent_elsewhere(redis) as agent:
            await until(lambda: line.agents)
            web.asked.clear()
            agent.send_signal(signal.SIGSTOP)
            # Redis hands the second request to the agent, which is waiting for one.
            answers = await pages(fetcher, web, 4, 5)
            assert [answer.failure for answer in answers] == [None, None]
            assert agents.given_again == 1
            agent.send_signal(signal.SIGCONT)
            await until(lambda: line.agents)
            (again,) = (await pages(fetcher, web, 8, 9))[1:]
            assert again.document is not None
        assert sorted(web.asked) == sorted(web.url(i) for i in (4, 5, 8, 9))


async def test_the_requests_of_a_killed_agent_are_sent_again(redis: OwnRedis) -> None:
    web, broker = SlowWeb(pages=60, hosts=4), broker_at(redis.url)
    async with crawl_of(web, broker, latency=1.0) as (agents, line, fetcher):
        with agent_elsewhere(redis) as agent:
            await until(lambda: line.agents)
            web.asked.clear()
            fetches = asyncio.create_task(pages(fetcher, web, 4, 5, 6))
            await until(lambda: len(web.asked) == 3)
            agent.kill()
            assert [answer.failure for answer in await fetches] == [None] * 3
            with from_url(redis.url) as reports:
                await until(lambda: reports.hgetall(broker.given_again) == {b"b": b"2"})
                assert reports.hgetall(broker.late) == {}
        assert agents.given_again == 2
        assert sorted(web.asked) == sorted(web.url(i) for i in (4, 5, 5, 6, 6))


async def test_without_redis_a_crawl_goes_on_and_meets_its_agents_again(redis: OwnRedis) -> None:
    broker = broker_at(redis.url)
    async with crawl_of(WEB, broker) as (_, line, fetcher), agent_here(broker):
        await until(lambda: line.agents)
        redis.kill()
        await until(lambda: not line.has_room())
        answers = await pages(fetcher, WEB, 4, 5, 6)
        assert [answer.failure for answer in answers] == [None] * 3
        redis.start()
        await until(lambda: line.agents)
        assert (await pages(fetcher, WEB, 7, 8))[1].document is not None


async def test_redis_that_forgets_everything_costs_no_page(redis: OwnRedis) -> None:
    broker = broker_at(redis.url)
    async with crawl_of(WEB, broker, latency=0.3) as (_, line, fetcher), agent_here(broker):
        await until(lambda: line.agents)
        fetches = asyncio.create_task(pages(fetcher, WEB, *range(12)))
        await until(lambda: line.under_way)
        client = broker.connect()
        await client.flushall()
        await client.aclose()
        assert [answer.failure for answer in await fetches] == [None] * 12
        await until(lambda: line.agents)
        assert (await pages(fetcher, WEB, 20, 21))[1].document is not None


async def test_a_suspended_redis_costs_no_page(redis: OwnRedis) -> None:
    broker = broker_at(redis.url)
    async with crawl_of(WEB, broker, latency=0.3) as (_, line, fetcher), agent_here(broker):
        await until(lambda: line.agents)
        fetches = asyncio.create_task(pages(fetcher, WEB, *range(12)))
        await until(lambda: line.under_way)
        redis.signal(signal.SIGSTOP)
        await until(lambda: not line.has_room())
        assert [answer.failure for answer in await fetches] == [None] * 12
        redis.signal(signal.SIGCONT)
        await until(lambda: line.agents)


@pytest.mark.parametrize("other", [{"code": "code 2"}, {"key": b"another"}])
async def test_other_code_and_other_sites_are_not_served(
    redis: OwnRedis, other: dict[str, Any]
) -> None:
    web = SlowWeb(pages=60, hosts=4)
    async with (
        crawl_of(web, broker_at(redis.url)) as (_, line, fetcher),
        agent_here(broker_at(redis.url, **other)) as stranger,
    ):
        client = broker_at(redis.url).connect()
        await until(lambda: stranger._clock.is_set)
        while not await client.hexists(broker_at(redis.url).agents, "a"):
            await asyncio.sleep(0.05)
        if "code" in other:
            assert not line.agents
        else:
            await until(line.has_room)
        answers = await pages(fetcher, web, 4, 5)
        assert [answer.failure for answer in answers] == [None, None]
        assert [answer.document for answer in answers] == [None, None]
        await client.aclose()


async def test_a_machine_without_a_proxy_serves_no_crawl_that_needs_one(redis: OwnRedis) -> None:
    broker, secret = broker_at(redis.url), Proxy("http://ada:s3cr3t@127.0.0.1:1")
    async with served(WEB) as equipment:
        line = StreamChannel(broker, "1.1")
        await line.open(replace(equipment, proxy=secret))
        async with agent_here(broker, "bare") as bare:
            client = broker.connect()
            while not await client.hexists(broker.agents, "bare"):
                await asyncio.sleep(0.05)
            (session,) = read_sessions(await client.hgetall(broker.sessions)).values()
            assert b"s3cr3t" not in bytes.fromhex(session.equipment)
            async with agent_here(broker, "other", proxy=secret) as other:
                await until(lambda: line.agents and other._served)
                assert line.agents == 1 and bare._served == {}
            await client.aclose()
        await line.end()


async def test_a_forged_task_is_not_sent(redis: OwnRedis) -> None:
    broker, web = broker_at(redis.url), SlowWeb(pages=60, hosts=4)
    async with crawl_of(web, broker) as (_, line, _), agent_here(broker) as agent:
        await until(lambda: line.agents and agent._served)
        client, stream = broker.connect(), broker.tasks("1.1")
        hop = Hop(web.url(4), (), 30.0, False, 0.0, 0.0)
        forged = broker_at(redis.url, key=b"another").seal(FetchTask(1, hop, False), "1.1")
        await client.xadd(stream, {"task": forged}, id="1-1")
        while await client.xlen(stream) or (await client.xpending(stream, GROUP))["pending"]:
            await asyncio.sleep(0.05)
        assert web.asked == []
        await client.aclose()


async def test_a_task_of_another_session_or_entry_is_not_sent(redis: OwnRedis) -> None:
    broker, web = broker_at(redis.url), SlowWeb(pages=60, hosts=4)
    async with crawl_of(web, broker) as (_, line, _), agent_here(broker) as agent:
        await until(lambda: line.agents and agent._served)
        client, stream = broker.connect(), broker.tasks("1.1")
        task = FetchTask(1, Hop(web.url(4), (), 30.0, False, 0.0, 0.0), False)
        await client.xadd(stream, {"task": broker.seal(task, "2.1")}, id="1-1")
        await client.xadd(stream, {"task": broker.seal(task, "1.1")}, id="2-1")
        await client.xadd(stream, {"task": broker.seal("a text", "1.1")}, id="3-1")
        await client.xadd(stream, {"x": "y"}, id="4-1")
        while await client.hget(broker.malformed, "tasks") != b"4":
            await asyncio.sleep(0.05)
        assert web.asked == [] and not await client.xlen(stream)
        await client.aclose()


async def test_malformed_entries_are_skipped_and_counted(redis: OwnRedis) -> None:
    broker = broker_at(redis.url)
    async with crawl_of(WEB, broker) as (_, line, fetcher), agent_here(broker):
        client, replies = broker.connect(), broker.replies("1.1")
        for key in (broker.agents, broker.sessions, broker.given_again, broker.late):
            await client.hset(key, "evil", "notjson")
            await client.hset(key, b"\xff", "{}")
        await client.hset(broker.agents, "vast", '{"until": 1e999, "room": "many"}')
        await client.xadd(replies, {"x": "y"})
        await client.xadd(replies, {"reply": "z"})
        await client.xadd(replies, {"reply": broker.seal(Reply(1, None, 0.0, 0.0), "2.1")})
        await until(lambda: line.agents)
        assert (await pages(fetcher, WEB, 4, 5))[1].document is not None
        while await client.hget(broker.malformed, "replies") != b"3":
            await asyncio.sleep(0.05)
        assert line.agents == 1
        await client.aclose()


async def test_crawls_share_the_agents_evenly(redis: OwnRedis) -> None:
    broker = broker_at(redis.url)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(agent_here(broker, room=8))
        (_, first, _) = await stack.enter_async_context(crawl_of(WEB, broker, "1.1"))
        await until(lambda: first._room == 8)
        (_, second, _) = await stack.enter_async_context(crawl_of(WEB, broker, "2.1"))
        await until(lambda: first._room == second._room == 4)


async def test_a_drained_agent_takes_nothing_until_it_is_resumed(redis: OwnRedis) -> None:
    broker = broker_at(redis.url)
    async with crawl_of(WEB, broker) as (_, line, fetcher), agent_here(broker):
        await until(lambda: line.agents)
        client = broker.connect()
        await client.sadd(broker.drained, "a")
        await until(lambda: not line.agents)
        assert [page.document for page in await pages(fetcher, WEB, 4, 5)] == [None, None]
        await client.srem(broker.drained, "a")
        await until(lambda: line.agents)
        assert (await pages(fetcher, WEB, 7, 8))[1].document is not None
        await client.aclose()


async def test_what_an_agent_cannot_reach_is_tried_from_here(redis: OwnRedis) -> None:
    broker = broker_at(redis.url)
    async with served(WEB) as equipment, agent_here(broker):
        assert equipment.served is not None
        # The crawl may enter this loopback address, the agent's machine does not allow it.
        own = replace(equipment, guard=AddressGuard(["127.0.0.1"]), served=None)
        line = StreamChannel(broker, "1.1")
        agents = Agents(own, 0, lent=line)
        fetcher = HttpFetcher(own, exchange=agents)
        address = f"http://127.0.0.1:{equipment.served.port}/robots.txt"
        await line.open(own)
        await until(lambda: line.agents)
        answers = await asyncio.gather(*(fetcher.fetch(f"{address}?{i}") for i in range(3)))
        assert {answer.failure for answer in answers} == {"http_502"}
        assert agents.given_again == 2
        await agents.close()


async def test_a_crawl_that_is_taken_over_waits_for_the_agents_of_the_lost_one(
    redis: OwnRedis,
) -> None:
    broker = broker_at(redis.url)
    client, clock = broker.connect(), Clock()
    asked = Clock.here()
    clock.set(asked, await client.time())
    lost_until = clock.now() + 3.0
    lost = CoordinatorHeartbeat(lost_until, broker.code, broker.seal("equipment", "7.1").hex())
    other = CoordinatorHeartbeat(clock.now() + 3000.0, broker.code)
    await client.hset(broker.sessions, "7.1", lost.text())
    await client.hset(broker.sessions, "17.1", other.text())
    async with crawl_of(WEB, broker, "7.2"):
        assert clock.now() > lost_until
        assert set(await client.hkeys(broker.sessions)) >= {b"17.1"}
        assert not await client.hexists(broker.sessions, "7.1")
    await client.aclose()
