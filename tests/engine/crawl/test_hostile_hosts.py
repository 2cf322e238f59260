"""A hostile host costs only itself: each of its tricks ends by the deadline (P17, P18)."""

from __future__ import annotations

import asyncio
import gzip
import os
import time
import zlib
from collections.abc import AsyncIterator

import pytest

from apps.engine.answers import Answer
from apps.engine.codes import StopReason
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.events import Batch
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking import politeness
from apps.engine.networking.address_guard import AddressGuard
from apps.engine.networking.connections import Served
from apps.engine.networking.exchange import Equipment
from apps.engine.networking.http_fetcher import HttpFetcher
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.redirects import Gate
from apps.engine.topics import Topic
from apps.engine.urls import host
from tests.engine.crawl.crawls import batches_of
from tests.engine.crawl.trap_web import words

HONEST_HOSTS = frozenset(f"h{i}.test" for i in range(4))
PAGES = 60 if os.environ.get("CRAWLSITE_SOAK") else 12
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
NASTY = {
    "deep": b"<div>" * 200_000 + b"<a href=/x>x</a>",
    "attributes": b"<p " + b" ".join(b"a%d=1" % i for i in range(100_000)) + b">words",
    "unclosed": b"<a href='" + b"x" * 1_000_000,
    "nul": b"\0<p>wo\0rds\0" * 1000,
    "entities": b"&#x10ffff;&#0;&bogus;" * 20_000,
    "comment": b"<!--" + b"-" * 500_000,
    "tables": b"<table><tr><td>" * 20_000,
    "dense_words": b"<p>word" * 1_400_000,
    "dense_tags": b"<b>x</b>" * 1_200_000,
    "dense_links": b"<a href=/charset>y</a>" * 450_000,
}
TRICKS = (
    "bomb",
    "slow_body",
    "slow_head",
    "long_length",
    "short_length",
    "hang_up",
    "reset",
    "redirects",
    "cookies",
    "endless",
    "informational",
    "charset",
    *NASTY,
)


class World:
    """Four honest hosts, and one whose every page is a trick, behind one port."""

    def __init__(self) -> None:
        self.port = 0
        self._bomb = gzip.compress(zlib.compress(b"\0" * 10**8) + b"\0" * 10**8)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            path = head.split(" ")[1].strip("/")
            if "host: bad.test" in head:
                await self._trick(path.partition("/")[0], writer)
            elif path == "robots.txt":
                writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            else:
                self._honest(int(path), writer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    def _honest(self, number: int, writer: asyncio.StreamWriter) -> None:
        body = f"<p>{words(number, 80)} <a href='/{(number + 1) % PAGES}'>next</a>".encode()
        writer.write(OK + b"Content-Length: %d\r\n\r\n" % len(body) + body)

    async def _trick(self, trick: str, writer: asyncio.StreamWriter) -> None:
        if trick in NASTY:
            writer.write(OK + b"Connection: close\r\n\r\n" + NASTY[trick])
        elif trick == "bomb":
            writer.write(
                OK
                + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(self._bomb)
                + self._bomb
            )
        elif trick in ("slow_body", "slow_head", "informational", "endless"):
            await self._drip(trick, writer)
        elif trick.endswith("length"):
            writer.write(
                OK
                + b"Content-Length: %s\r\n\r\nshort"
                % (b"99999" if trick == "long_length" else b"2")
            )
        elif trick == "reset":
            writer.write(OK + b"Content-Length: 99\r\n\r\nha")
            writer.transport.abort()
        elif trick == "redirects":
            writer.write(
                b"HTTP/1.1 302 F\r\nLocation: /redirects/%d\r\nContent-Length: 0\r\n\r\n"
                % time.monotonic_ns()
            )
        elif trick == "cookies":
            writer.write(OK + b"Set-Cookie: a=b\r\n" * 5000 + b"Content-Length: 5\r\n\r\nwords")
        elif trick == "charset":
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=zlib_codec\r\n"
                b"Content-Length: 5\r\n\r\nwords"
            )

    async def _drip(self, trick: str, writer: asyncio.StreamWriter) -> None:
        piece = {
            "slow_body": b"x",
            "slow_head": b"X: y\r\n",
            "endless": b"word " * 10_000,
            "informational": b"HTTP/1.1 103 Early Hints\r\n\r\n",
        }[trick]
        if trick in ("slow_body", "endless"):
            writer.write(OK + b"Connection: close\r\n\r\n")
        elif trick == "slow_head":
            writer.write(OK)
        while True:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.01)


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = World()
    server = await asyncio.start_server(world.answer, "127.0.0.1", 0)
    world.port = server.sockets[0].getsockname()[1]
    yield world
    server.close()


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hosts that time out are left alone for longer and longer, which is another test's."""
    monkeypatch.setattr(politeness, "LEAST_BACK_OFF", 0.01)


class PatientFetcher:
    """Has a deadline for the host of tricks only: however busy the machine, no honest page misses
    one."""

    def __init__(self, port: int) -> None:
        self._honest, self._bad = (
            HttpFetcher(
                Equipment(
                    AddressGuard(), "test/1.0", deadline, served=Served(hosts, "127.0.0.1", port)
                )
            )
            for hosts, deadline in ((HONEST_HOSTS, 3600), (frozenset({"bad.test"}), 1))
        )

    async def fetch(
        self, url: str, gate: Gate | None = None, *, any_type: bool = False, spelling: str = ""
    ) -> Answer:
        fetcher = self._honest if host(url) in HONEST_HOSTS else self._bad
        return await fetcher.fetch(url, gate, any_type=any_type)

    async def close(self) -> None:
        await self._honest.close()
        await self._bad.close()


async def crawled(world: World, *tricks: str, delay: float = 0.02) -> tuple[list[Batch], float]:
    """All batches of a crawl of everything, and when the last honest page had come."""
    seeds = [f"http://{host}/0" for host in sorted(HONEST_HOSTS)]
    seeds += [f"http://bad.test/{trick}" for trick in tricks]
    fetcher = PatientFetcher(world.port)
    plan = Plan(5000, 9000, politeness=Politeness(delay=delay, concurrent=8, retries=0))
    crawl = CrawlLoop(
        plan, TopicModel(Topic("made", seeds=tuple(seeds))), strategy("breadth_first")(), fetcher
    )
    crawl.start()
    begun, honest = time.monotonic(), [0.0]

    def watch(batch: Batch) -> None:
        if any(page.host in HONEST_HOSTS for page in batch.pages):
            honest[0] = time.monotonic() - begun

    batches = await batches_of(crawl, watch)
    await fetcher.close()
    return batches, honest[0]


async def test_every_trick_ends_and_every_honest_page_is_fetched(world):
    batches, _ = await crawled(world, *TRICKS)
    totals = batches[-1].totals
    pages = [page for batch in batches for page in batch.pages]
    failures = [failure for batch in batches for failure in batch.failures]
    assert batches[-1].finished is StopReason.FRONTIER_EMPTY
    assert sum(page.host in HONEST_HOSTS for page in pages) == len(HONEST_HOSTS) * PAGES
    assert not [failure for failure in failures if failure.host in HONEST_HOSTS]
    ended = {
        one.answer.url.rpartition("/")[2] for one in [*pages, *failures] if one.host == "bad.test"
    }
    assert ended >= set(TRICKS)
    assert totals.errors["timeout"] >= 3


@pytest.mark.soak
@pytest.mark.skipif(not os.environ.get("CRAWLSITE_SOAK"), reason="measures time: make soak")
async def test_honest_hosts_keep_four_fifths_of_their_pace(world):
    """At a polite pace: without a delay it would be the machine's."""
    alone = min([(await crawled(world, delay=0.25))[1] for _ in range(2)])
    beside = min([(await crawled(world, *TRICKS, delay=0.25))[1] for _ in range(2)])
    print(f"honest pages: {alone:.2f} s alone, {beside:.2f} s beside {len(TRICKS)} tricks")
    assert alone / beside >= 0.8
