"""Serves a recorded or generated web over HTTP on loopback, with name-based virtual hosts.

A crawler that resolves every host of the web to this address sees it like the live Web: with
requests, redirects, errors and, if configured, latency.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from socket import socket
from typing import Self

from aiohttp import web
from multidict import CIMultiDict

from apps.engine.answers import Answer, Headers
from apps.engine.codes import Failure
from apps.engine.errors import EngineError
from apps.engine.networking.webs.virtual_web import Web
from apps.engine.urls import canonical

ADDRESS = "127.0.0.1"
STOP_SECONDS = 2.0

_OF_THE_CONNECTION = frozenset(
    "connection content-encoding content-length keep-alive proxy-authenticate te trailer "
    "transfer-encoding upgrade".split()
)
_UNSENDABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class WebServer:
    """An HTTP server for one web, as an asynchronous context manager.

    `port` 0 takes a free port, set by the start. `latency` is the delay of every answer in
    seconds. The access log gets one line per request, unbuffered: Unix time of arrival with
    microseconds, method, URL, status, bytes of the body.
    """

    def __init__(
        self, served: Web, port: int = 0, access_log: Path | None = None, latency: float = 0.0
    ) -> None:
        self.web = served
        self.port = port
        self.latency = latency
        self._access_log = access_log
        self._log: int | None = None
        self._runner = web.ServerRunner(
            web.Server(self._handle, access_log=None), shutdown_timeout=STOP_SECONDS
        )

    async def start(self, listener: socket | None = None) -> int:
        """Listens, or takes over a listening socket. Returns the port; raises OSError if in use."""
        await self._runner.setup()
        site: web.BaseSite
        if listener is not None:
            site = web.SockSite(self._runner, listener, backlog=512)
        else:
            site = web.TCPSite(self._runner, ADDRESS, self.port, backlog=512)
        try:
            await site.start()
        except OSError:
            await self._runner.cleanup()
            raise
        self.port = self._runner.addresses[0][1]
        if self._access_log is not None:
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
            self._log = os.open(self._access_log, flags, 0o644)
        return self.port

    async def stop(self) -> None:
        """Finishes the answers in progress (for two seconds at most) and closes the port."""
        await self._runner.cleanup()
        if self._log is not None:
            os.close(self._log)
            self._log = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *reason: object) -> None:
        await self.stop()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        arrived = time.time()
        url = self._url(request)
        status, headers, body = self._answer(request.method, url)
        if self._log is not None:
            sent = 0 if request.method == "HEAD" else len(body)
            line = f"{arrived:.6f} {request.method} {url} {status} {sent}\n"
            os.write(self._log, line.encode())
        if self.latency:
            await asyncio.sleep(self.latency)
        return web.Response(body=body, status=status, headers=headers)

    def _url(self, request: web.BaseRequest) -> str:
        """The requested URL, whether or not the Host header has this port; a client that takes this
        server for a proxy asks for the whole URL."""
        if request.raw_path.startswith("http://"):
            return request.raw_path
        host = request.headers.get("Host", "").removesuffix(f":{self.port}")
        return f"http://{host}{request.raw_path}"

    def _answer(self, method: str, requested: str) -> tuple[int, CIMultiDict[str], bytes]:
        url = canonical(requested)
        if url is None:
            return 400, _plain_text(), b"The Host header and the path do not form a URL."
        if method not in {"GET", "HEAD"}:
            return 405, _plain_text(("Allow", "GET, HEAD")), b"Only GET and HEAD are allowed."
        try:
            answer = self.web.get(url)
        except EngineError as error:
            return 500, _plain_text(), f"This page cannot be read: {error}".encode()
        if answer.failure == Failure.DNS:
            return 502, _plain_text(), f"This web has no host of the name in {url}".encode()
        return answer.status or 502, _sendable(answer.headers), _body(answer)


async def serve(
    served: Web,
    port: int = 0,
    access_log: Path | None = None,
    latency: float = 0.0,
    ready: Callable[[int], None] = lambda port: None,
) -> None:
    """Serves a web until cancelled. Calls `ready` with the port. Raises OSError if it is in use."""
    async with WebServer(served, port, access_log, latency) as server:
        ready(server.port)
        await asyncio.Event().wait()


def _plain_text(*more: tuple[str, str]) -> CIMultiDict[str]:
    return CIMultiDict([("Content-Type", "text/plain; charset=utf-8"), *more])


def _sendable(headers: Headers) -> CIMultiDict[str]:
    """The stored headers without those of the old connection; the body is stored decoded."""
    sendable = CIMultiDict(
        (name, value)
        for name, value in headers
        if name.lower() not in _OF_THE_CONNECTION and not _UNSENDABLE.search(name + value)
    )
    sendable.setdefault("Content-Type", "text/html")
    return sendable


def _body(answer: Answer) -> bytes:
    """The stored body; an error without one gets a message for people."""
    if answer.body or answer.status == 200 or answer.header("Location"):
        return answer.body
    return f"<title>{answer.status}</title><p>This web has no page at that address.</p>".encode()
