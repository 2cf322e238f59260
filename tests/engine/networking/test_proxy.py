"""Requests through a small proxy on loopback: all of them, and none to a private network."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.address_guard import AddressGuard
from apps.engine.networking.exchange import Equipment
from apps.engine.networking.http_fetcher import HttpFetcher
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.proxy import Proxy
from apps.engine.networking.robots.files import Robots
from apps.engine.topics import Topic
from tests.engine.crawl.crawls import batches_of
from tests.engine.networking.conftest import Site
from tests.engine.networking.test_http_fetcher import self_signed

PUBLIC, PRIVATE = "93.184.216.34", "10.0.0.7"
ADDRESSES = {"inner.test": PRIVATE}


@dataclass
class SmallProxy:
    """Sends every request on to one port of loopback; `lines` are the first lines that it got, with
    what was sent as Proxy-Authorization."""

    port: int = 0
    behind: int = 0
    lines: list[tuple[str, str]] = field(default_factory=list)
    refuses: bool = False

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            first, *headers = head.decode("latin-1").strip().split("\r\n")
            sent = dict(header.split(": ", 1) for header in headers)
            self.lines.append((first, sent.get("Proxy-Authorization", "")))
            if self.refuses:
                writer.write(b"HTTP/1.1 407 Not you\r\nContent-Length: 0\r\n\r\n")
                return
            there, here = await asyncio.open_connection("127.0.0.1", self.behind)
            if first.startswith("CONNECT "):
                writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
            else:
                method, address, version = first.split(" ")
                path = "/" + address.split("/", 3)[3]
                here.write(head.replace(first.encode(), f"{method} {path} {version}".encode()))
            await asyncio.gather(_pour(reader, here), _pour(there, writer))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


async def _pour(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while data := await source.read(65_536):
        target.write(data)
        await target.drain()
    target.close()


@pytest.fixture
async def proxy(site: Site, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SmallProxy]:
    """A proxy before `site`. Every name has a public address, but for those in ADDRESSES."""
    proxy = SmallProxy(behind=site.port)
    server = await asyncio.start_server(proxy.answer, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]

    def resolved(host, port, *_, **__):
        return [(2, 1, 6, "", (ADDRESSES.get(host, PUBLIC), port or 0))]

    monkeypatch.setattr("socket.getaddrinfo", resolved)
    yield proxy
    server.close()


def fetcher_through(proxy: SmallProxy, user: str = "", **values: object) -> HttpFetcher:
    address = Proxy(f"http://{user}127.0.0.1:{proxy.port}")
    return HttpFetcher(Equipment(AddressGuard(), "crawlsite/1.0", 5.0, proxy=address), **values)


async def test_a_request_goes_to_the_proxy_with_the_whole_address_as_written(site, proxy):
    site.page("/a%7eb?q=%e4", b"<p>bread")
    fetcher = fetcher_through(proxy)
    answer = await fetcher.fetch(
        "http://bread.test/a~b?q=%E4", spelling="http://bread.test/a%7eb?q=%e4"
    )
    await fetcher.close()
    assert (answer.body, answer.failure) == (b"<p>bread", None)
    assert proxy.lines == [("GET http://bread.test/a%7eb?q=%e4 HTTP/1.1", "")]
    assert site.requests[0].headers["host"] == "bread.test"


async def test_https_goes_through_a_tunnel_and_its_certificate_is_checked(proxy, tmp_path: Path):
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nbread"
        )
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=self_signed(tmp_path))
    proxy.behind = server.sockets[0].getsockname()[1]
    checking, allowing = fetcher_through(proxy), fetcher_through(proxy, unverified={"a.test"})
    refused = await checking.fetch("https://a.test/x")
    assert refused.failure == "certificate"
    allowed = await allowing.fetch("https://a.test/x")
    assert (allowed.body, allowed.failure) == (b"bread", None)
    assert proxy.lines == [("CONNECT a.test:443 HTTP/1.1", "")] * 2
    for fetcher in (checking, allowing):
        await fetcher.close()
    server.close()


@pytest.mark.parametrize(
    "url", ["http://inner.test/", "https://inner.test/", "http://10.0.0.7/", "http://[::1]/"]
)
async def test_a_private_address_is_refused_and_the_proxy_never_asked(site, proxy, url):
    fetcher = fetcher_through(proxy)
    assert (await fetcher.fetch(url)).failure == "address_refused"
    site.redirect("/out", url)
    answer = await fetcher.fetch("http://bread.test/out")
    await fetcher.close()
    assert answer.failure == "address_refused"
    assert [line for line, _ in proxy.lines] == ["GET http://bread.test/out HTTP/1.1"]


async def test_the_proxy_gets_name_and_password_for_http_and_https(site, proxy):
    site.page("/", b"<p>bread")
    fetcher = fetcher_through(proxy, user="ada:s3cr3t@")
    await fetcher.fetch("http://bread.test/")
    proxy.behind = 1
    await fetcher.fetch("https://bread.test/")
    await fetcher.close()
    assert {sent for _, sent in proxy.lines} == {"Basic YWRhOnMzY3IzdA=="}


@pytest.mark.parametrize("url", ["http://bread.test/", "https://bread.test/"])
async def test_a_failure_names_the_proxy_and_never_its_password(proxy, url):
    fetcher = fetcher_through(proxy, user="ada:s3cr3t@")
    proxy.refuses = True
    refused = await fetcher.fetch(url)
    assert refused.failure in {"connect", "http_407"}
    proxy.port = 1
    gone = fetcher_through(proxy, user="ada:s3cr3t@")
    unreachable = await gone.fetch(url)
    assert unreachable.failure == "connect" and "the proxy cannot be reached" in unreachable.detail
    for failure in (refused, unreachable):
        assert "s3cr3t" not in repr(failure)
    for one in (fetcher, gone):
        await one.close()


async def test_a_name_without_an_address_is_a_failure_of_its_name(proxy, monkeypatch):
    def unresolved(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr("socket.getaddrinfo", unresolved)
    fetcher = fetcher_through(proxy)
    assert (await fetcher.fetch("http://bread.test/")).failure == "dns"
    assert proxy.lines == []
    await fetcher.close()


async def test_every_request_of_a_crawl_passes_the_proxy_and_robots_are_obeyed(site, proxy):
    links = "".join(f"<a href=/{name}>{name}</a>" for name in ("b", "c", "secret"))
    outside = "<a href=http://inner.test/>in</a>"
    site.page("/a", f"<title>A</title><p>river {links} {outside}".encode())
    site.page("/b", b"<title>B</title><p>river")
    site.redirect("/c", "http://inner.test/admin")
    site.page("/robots.txt", b"User-agent: *\nDisallow: /secret", Content_Type="text/plain")
    fetcher = fetcher_through(proxy)
    crawl = CrawlLoop(
        Plan(20, 50, politeness=Politeness(delay=0.0, concurrent=4, retries=0)),
        TopicModel(Topic("made", seeds=("http://bread.test/a",))),
        strategy("breadth_first")(),
        fetcher,
        robots=Robots("crawlsite/1.0"),
    )
    crawl.frontier.seed("http://bread.test/a", 0.0)
    last = (await batches_of(crawl))[-1]
    await fetcher.close()
    asked = {line.split(" ")[1] for line, _ in proxy.lines}
    assert {f"http://bread.test/{path}" for path in ("robots.txt", "a", "b", "c")} <= asked
    assert not any("inner" in line or "secret" in line for line, _ in proxy.lines)
    assert len(site.requests) == len(proxy.lines)
    assert last.totals.errors["address_refused"] == 2


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("http://127.0.0.1:3128", ""),
        ("http://ada:s3cr3t@proxy.example:3128/", ""),
        ("http://[::1]:3128", ""),
        ("socks5://127.0.0.1:1080", "must begin with http://"),
        ("https://proxy.example", "must begin with http://"),
        ("proxy.example:3128", "must begin with http://"),
        ("http://", "names no host"),
        ("http://a b:1", "names no host"),
        ("http://proxy.example:99999", "cannot be read"),
        ("http://[::1", "cannot be read"),
        ("http://proxy.example:0", "port 0"),
        ("http://proxy.example/path", "nothing may follow"),
    ],
)
def test_an_address_is_used_or_its_problem_named(address, problem):
    proxy = Proxy(address)
    assert (problem in proxy.problem) if problem else not proxy.problem
    assert "s3cr3t" not in repr(proxy)


def test_its_server_is_shown_without_name_and_password():
    assert Proxy("http://ada:s3cr3t@proxy.example:3128").server == "proxy.example:3128"
