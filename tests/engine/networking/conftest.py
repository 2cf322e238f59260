"""A real HTTP server on loopback whose answers are scripted byte by byte."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

import pytest

from apps.engine.networking.address_guard import AddressGuard
from apps.engine.networking.exchange import Equipment
from apps.engine.networking.http_fetcher import HttpFetcher

Script = Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Request:
    """What the server saw: the path and the headers, names in lower case."""

    path: str
    headers: dict[str, str]


@dataclass
class Site:
    """Answers by path; `requests` is its access log."""

    port: int = 0
    scripts: dict[str, Script] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def page(self, path: str, body: bytes = b"<p>hello", status: int = 200, **headers: str) -> None:
        """Answers with a body; header names are written with underscores."""
        named = {"Content_Type": "text/html"} | headers
        lines = [f"HTTP/1.1 {status} Status", f"Content-Length: {len(body)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in named.items() if value]
        head = "\r\n".join(lines)
        plain = all(ord(character) < 256 for character in head)
        self.raw(path, head.encode("latin-1" if plain else "utf-8") + b"\r\n\r\n" + body)

    def raw(self, path: str, data: bytes) -> None:
        """Answers with these bytes and closes."""

        async def script(writer: asyncio.StreamWriter) -> None:
            writer.write(data)
            await writer.drain()

        self.scripts[path] = script

    def redirect(self, path: str, target: str, status: int = 301) -> None:
        self.page(path, b"", status, Location=target)

    def paths(self) -> list[str]:
        return [request.path for request in self.requests]

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.strip().split("\r\n")
            path = first.split(" ")[1]
            pairs = (line.split(": ", 1) for line in lines)
            headers = {name.lower(): value for name, value in pairs}
            self.requests.append(Request(path, headers))
            await self.scripts[path](writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    """A site with no page yet."""
    site = Site()
    server = await asyncio.start_server(site.answer, "127.0.0.1", 0)
    site.port = server.sockets[0].getsockname()[1]
    yield site
    server.close()


@pytest.fixture
async def fetcher() -> AsyncIterator[HttpFetcher]:
    """A fetcher that may go to 127.0.0.1, with a deadline of 0.6 s and bodies of 100 kB."""
    fetcher = HttpFetcher(Equipment(AddressGuard(["127.0.0.1"]), "crawlsite/1.0", 0.6, 100_000))
    yield fetcher
    await fetcher.close()
