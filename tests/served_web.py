"""A made web served over HTTP in a thread of the test's process, with its access log."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from apps.engine.networking.webs.server import WebServer
from apps.engine.networking.webs.virtual_web import Web


class LogLine(NamedTuple):
    """A line of the access log: `at` is the time of arrival in Unix seconds."""

    at: float
    url: str
    status: int
    size: int


class ServedLog(NamedTuple):
    """Where the web is served, and its log."""

    port: int
    log: Path

    def lines(self, host: str) -> list[LogLine]:
        """The requests to a host in the order of their arrival."""
        rows = [line.split(" ") for line in self.log.read_text().splitlines()]
        lines = [LogLine(float(at), url, int(s), int(size)) for at, _, url, s, size in rows]
        return [line for line in lines if line.url.split("/")[2] == host]


@contextmanager
def served(web: Web, log: Path) -> Iterator[ServedLog]:
    """Serves the web until the end of the block."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def start() -> WebServer:
        server = WebServer(web, access_log=log)
        await server.start()
        return server

    try:
        server = asyncio.run_coroutine_threadsafe(start(), loop).result(60)
        yield ServedLog(server.port, log)
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(60)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(60)
        loop.close()
