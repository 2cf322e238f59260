"""A web served on loopback, asked over real HTTP."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import aiohttp
import pytest
from yarl import URL

from apps.demo.pages import moved
from apps.demo.web import DemoWeb
from apps.engine.answers import Answer
from apps.engine.errors import BadWebFile
from apps.engine.networking.address_guard import AddressGuard
from apps.engine.networking.connections import Served
from apps.engine.networking.exchange import Equipment
from apps.engine.networking.http_fetcher import HttpFetcher
from apps.engine.networking.webs.server import WebServer, serve
from apps.engine.networking.webs.virtual_web import read

HTML = (("Content-Type", "text/html; charset=latin-1"),)
BODY = "<title>Café</title><p>Rye".encode("latin-1")


class SmallWeb:
    """A few URLs, one a kind of answer."""

    hosts = frozenset({"bread.test", "rye.test"})
    count = 3

    def __init__(self) -> None:
        old = (
            ("content-length", "3"),
            ("Transfer-Encoding", "chunked"),
            ("X-Kept", "yes"),
            ("Content-Encoding", "gzip"),
            ("X-Bad", "a\r\nSet-Cookie: b"),
        )
        page = "http://bread.test/a/b.html?x=1&y=%21"
        self.answers = {
            page: Answer(page, page, 200, HTML + old, BODY),
            "http://rye.test/": Answer("", "", 200, (), b"<p>rye"),
            "http://rye.test/old": Answer("", "", 301, (("Location", page),)),
            "http://rye.test/busy": Answer(
                "", "", 503, (("Retry-After", "7"),), b"wait", failure="http_503"
            ),
        }

    def get(self, url: str) -> Answer:
        if url == "http://rye.test/damaged":
            raise BadWebFile("the record is damaged")
        if url in self.answers:
            return self.answers[url]
        if url.split("/")[2] in self.hosts:
            return Answer(url, url, status=404, failure="http_404")
        return Answer(url, url, failure="dns")

    def labels(self, url: str) -> tuple[str, ...]:
        return ()

    def urls(self) -> Iterator[str]:
        return iter(self.answers)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "access.log"


@pytest.fixture
async def server(log: Path) -> AsyncIterator[WebServer]:
    async with WebServer(SmallWeb(), access_log=log) as server:
        yield server


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(auto_decompress=False) as session:
        yield session


def ask(session, server, host, path, method="GET"):
    url = URL(f"http://127.0.0.1:{server.port}{path}", encoded=True)
    return session.request(method, url, headers={"Host": host}, allow_redirects=False)


async def test_a_page_keeps_status_headers_and_bytes(server, session):
    async with ask(session, server, "bread.test", "/a/b.html?x=1&y=%21") as answer:
        assert (answer.status, await answer.read()) == (200, BODY)
        assert answer.headers["Content-Type"] == "text/html; charset=latin-1"
        assert answer.headers["X-Kept"] == "yes"
        assert answer.headers["Content-Length"] == str(len(BODY))
        assert not {"Content-Encoding", "Transfer-Encoding", "X-Bad"} & set(answer.headers)


async def test_hosts_are_distinguished_by_name_with_or_without_the_port(server, session):
    for host in ("rye.test", f"rye.test:{server.port}", "RYE.test"):
        async with ask(session, server, host, "/") as answer:
            assert await answer.read() == b"<p>rye"
            assert answer.headers["Content-Type"] == "text/html"
    async with ask(session, server, "bread.test", "/") as answer:
        assert answer.status == 404
        assert b"no page at that address" in await answer.read()


async def test_a_client_that_takes_it_for_a_proxy_gets_the_same_page(server, session):
    proxy = f"http://127.0.0.1:{server.port}"
    page = URL("http://bread.test/a/b.html?x=1&y=%21", encoded=True)
    async with session.get(page, proxy=proxy) as answer:
        assert (answer.status, await answer.read()) == (200, BODY)


async def test_redirects_and_errors_are_passed_on(server, session):
    async with ask(session, server, "rye.test", "/old") as answer:
        assert answer.status == 301
        assert answer.headers["Location"] == "http://bread.test/a/b.html?x=1&y=%21"
    async with ask(session, server, "rye.test", "/busy") as answer:
        assert (answer.status, answer.headers["Retry-After"]) == (503, "7")


@pytest.mark.parametrize(
    ("host", "path", "method", "status", "words"),
    [
        ("other.test", "/", "GET", 502, "This web has no host"),
        ("rye.test", "/damaged", "GET", 500, "cannot be read"),
        ("rye.test", "/", "POST", 405, "Only GET and HEAD"),
        ("bad host", "/", "GET", 400, "do not form a URL"),
    ],
)
async def test_what_cannot_be_answered_is_reported(
    server, session, host, path, method, status, words
):
    async with ask(session, server, host, path, method) as answer:
        assert answer.status == status
        assert words in await answer.text()


async def test_head_has_the_headers_of_get_and_no_body(server, session):
    async with ask(session, server, "rye.test", "/", "HEAD") as answer:
        assert (answer.status, await answer.read()) == (200, b"")
        assert answer.headers["Content-Length"] == "6"


async def test_the_access_log_has_a_line_a_request_before_its_answer_is_read(server, session, log):
    began = time.time()
    for number, (path, method) in enumerate([("/", "GET"), ("/old", "GET"), ("/", "HEAD")], 1):
        async with ask(session, server, "rye.test", path, method):
            assert len(log.read_text().splitlines()) == number
    lines = [line.split() for line in log.read_text().splitlines()]
    assert [line[1:] for line in lines] == [
        ["GET", "http://rye.test/", "200", "6"],
        ["GET", "http://rye.test/old", "301", "0"],
        ["HEAD", "http://rye.test/", "200", "0"],
    ]
    assert all(re.fullmatch(r"\d+\.\d{6}", line[0]) for line in lines)
    assert all(began - 1 < float(line[0]) < time.time() + 1 for line in lines)


async def test_latency_holds_every_answer_back(session):
    async with WebServer(SmallWeb(), latency=0.2) as server:
        began = time.monotonic()
        async with ask(session, server, "rye.test", "/") as answer:
            assert answer.status == 200
        assert time.monotonic() - began >= 0.2


async def test_a_taken_port_is_an_error_and_a_stopped_server_frees_its_port(session):
    server = WebServer(SmallWeb())
    await server.start()
    with pytest.raises(OSError, match="address already in use"):
        await WebServer(SmallWeb(), server.port).start()
    async with ask(session, server, "rye.test", "/"):
        pass
    await server.stop()
    async with WebServer(SmallWeb(), server.port) as again:
        assert again.port == server.port


async def test_serve_reports_its_port_and_ends_when_cancelled(session):
    ports: asyncio.Queue[int] = asyncio.Queue()
    task = asyncio.create_task(serve(SmallWeb(), ready=ports.put_nowait))
    port = await ports.get()
    async with session.get(f"http://127.0.0.1:{port}/", headers={"Host": "rye.test"}) as answer:
        assert answer.status == 200
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(aiohttp.ClientConnectorError):
        await session.get(f"http://127.0.0.1:{port}/")


async def test_a_fetcher_sees_over_http_what_the_web_itself_says():
    demo_web = DemoWeb(pages=4_000)
    pages = list(demo_web.urls())
    urls = [
        *pages[::400],
        "http://bakery.demo.test/gone/1",
        "http://closed1.demo.test/",
        moved(pages[1_234], 1_234),
    ]
    async with WebServer(demo_web) as server:
        served = Served(demo_web.hosts, "127.0.0.1", server.port)
        fetcher = HttpFetcher(Equipment(AddressGuard(), "test/1.0", served=served))
        try:
            for url in urls:
                over_http, message = await fetcher.fetch(url), read(demo_web, url)
                assert over_http.failure == message.failure
                assert over_http.final_url == message.final_url
                if not message.failure:
                    assert over_http.body == message.body
                    assert over_http.header("Content-Type") == message.header("Content-Type")
        finally:
            await fetcher.close()
