"""A hostile site tries every way into the private network; a canary there counts (P21)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.address_guard import AddressGuard
from apps.engine.networking.exchange import Equipment
from apps.engine.networking.http_fetcher import HttpFetcher
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.robots.files import Robots
from apps.engine.topics import Topic
from tests.engine.crawl.crawls import batches_of

HOSTS = (
    "127.0.0.1",
    "localhost",
    "localhost.",
    "LOCALHOST",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "017700000001",
    "0.0.0.0",
    "0",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[2002:7f00:1::]",
    "127.0.0.1.",
    "%31%32%37.0.0.1",
    "１２７.0.0.1",
    "127。0。0。1",
    "①②⑦.⓪.⓪.①",
    "user:pw@127.0.0.1",
    "public.test@127.0.0.1",
    "canary.test",
    "rebinding.test",
)


class Canary:
    """Listens where nobody may go, on both families, and counts who comes."""

    def __init__(self) -> None:
        self.port = 0
        self.visits = 0

    async def visited(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.visits += 1
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret")
        writer.close()

    def forms(self) -> Iterator[str]:
        """Every spelling of an address that leads to the canary."""
        for host in HOSTS:
            yield f"http://{host}:{self.port}/secret"
        yield f"//127.0.0.1:{self.port}/secret"
        yield f"http:\\\\127.0.0.1:{self.port}\\secret"
        yield f"ht\ntp://127.0.0.1\t:{self.port}/secret"
        yield f"https://127.0.0.1:{self.port}/secret"
        yield f"ftp://127.0.0.1:{self.port}/secret"


@pytest.fixture
async def canary() -> AsyncIterator[Canary]:
    canary = Canary()
    first = await asyncio.start_server(canary.visited, "127.0.0.1", 0)
    canary.port = first.sockets[0].getsockname()[1]
    second = await asyncio.start_server(canary.visited, "::1", canary.port)
    yield canary
    first.close()
    second.close()


class Attacker:
    """The one public host: 127.0.0.2 stands for it, which the guard lets pass."""

    def __init__(self, canary: Canary) -> None:
        self.canary = canary
        self.forms = list(canary.forms())
        self.port = 0
        self.paths: list[str] = []

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            path = head.split(" ")[1]
            self.paths.append(path)
            writer.write(self.page(path, "host: public.test" in head.lower()))
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def page(self, path: str, is_by_name: bool) -> bytes:
        kind, _, number = path.strip("/").partition("/")
        form = self.forms[int(number)] if number.isdigit() else ""
        if path == "/robots.txt":
            return self._redirect(self.forms[0]) if is_by_name else self._html("", status=404)
        if kind == "jump":
            return self._redirect(form)
        if kind == "refresh":
            return self._html(f'<meta http-equiv="refresh" content="0; url={form}">')
        if kind == "base":
            return self._html(f'<base href="{form}"><a href="more">more</a><p>words')
        if kind == "canonical":
            html = f'<link rel="canonical" href="{form}"><p>words'
            return self._html(html, f"Link: <{form}>\r\n")
        numbers = range(len(self.forms))
        links = [
            f"/{kind}/{n}" for kind in ("jump", "refresh", "base", "canonical") for n in numbers
        ] + self.forms
        return self._html("".join(f'<a href="{link}">link</a> ' for link in links))

    def _redirect(self, target: str) -> bytes:
        address = target.replace("\n", "").encode()
        return b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + address + b"\r\n\r\n"

    def _html(self, html: str, headers: str = "", status: int = 200) -> bytes:
        body = html.encode()
        head = f"HTTP/1.1 {status} Status\r\n{headers}Content-Type: text/html\r\n"
        return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


async def test_no_way_leads_to_a_private_address(canary, monkeypatch):
    attacker = Attacker(canary)
    server = await asyncio.start_server(attacker.answer, "127.0.0.2", 0)
    attacker.port = server.sockets[0].getsockname()[1]
    looks = iter(["127.0.0.2", *["127.0.0.1"] * 1000])

    def resolved(host, port, *_):
        address = {"public.test": "127.0.0.2"}.get(host, "127.0.0.1")
        address = next(looks) if host == "rebinding.test" else address
        return [(2, 1, 6, "", (address, port))]

    fetcher = HttpFetcher(Equipment(AddressGuard(["127.0.0.2"]), "test/1.0", 3))
    seeds = (
        f"http://127.0.0.2:{attacker.port}/",
        f"http://public.test:{attacker.port}/",
        *(form for form in attacker.forms if form.startswith("http://")),
    )
    plan = Plan(1000, 5000, politeness=Politeness(delay=0.0, concurrent=8, retries=0))
    crawl = CrawlLoop(
        plan,
        TopicModel(Topic("made", seeds=seeds)),
        strategy("breadth_first")(),
        fetcher,
        robots=Robots("test/1.0"),
    )
    for seed in seeds:
        if seed.isascii():
            crawl.frontier.seed(seed, 0.0)
    monkeypatch.setattr("socket.getaddrinfo", resolved)
    last = (await batches_of(crawl))[-1]
    monkeypatch.undo()
    server.close()
    await fetcher.close()
    assert canary.visits == 0
    tried = [path for path in attacker.paths if path.startswith(("/jump", "/refresh"))]
    assert len(set(tried)) > len(HOSTS)
    assert last.totals.errors["address_refused"] > len(HOSTS)
