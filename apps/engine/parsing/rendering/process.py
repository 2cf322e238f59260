"""The process that renders pages: `python -m apps.engine.parsing.rendering.process`.

It reads orders and answers from its standard input and writes requests and rendered pages. It ends
with its crawl, with the first page that Chromium cannot finish, and beyond its memory; Chromium
ends with it.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import sys
from typing import Any, BinaryIO

from playwright.async_api import Browser, Playwright, async_playwright

from apps.engine.kernel import memory_of_tree
from apps.engine.parsing.processes import NICENESS, SIZE_BYTES, send
from apps.engine.parsing.rendering.availability import leave_root
from apps.engine.parsing.rendering.messages import (
    MEMORY_BYTES,
    PAGES_A_BROWSER,
    PartAnswer,
    PartRequest,
    RenderOrder,
)
from apps.engine.parsing.rendering.open_page import OpenPage

# What escaped the interception would find no name and no proxy.
ARGUMENTS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--renderer-process-limit=1",
    "--js-flags=--max-old-space-size=512",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
LIMIT = 2**27
LOOK_SECONDS = 0.3
_ENVIRONMENT = ("HOME", "LANG", "PATH", "TMPDIR")


class RenderingProcess:
    """Renders one page after another; the requests of a page are answered by number. `memory` is
    how many bytes Chromium and its driver may have."""

    def __init__(self, replies: BinaryIO, playwright: Playwright) -> None:
        self._replies = replies
        self._playwright = playwright
        self._browser: Browser | None = None
        self._rendered = 0
        self._waiting: dict[int, asyncio.Future[PartAnswer]] = {}
        self.memory = MEMORY_BYTES

    async def serve(self, reader: asyncio.StreamReader) -> None:
        """Until the crawl closes its end."""
        tasks: set[asyncio.Task[None]] = set()
        while (message := await _receive(reader)) is not None:
            if isinstance(message, RenderOrder):
                task = asyncio.create_task(self._render(message))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
            elif (waiting := self._waiting.pop(message.number, None)) is not None:
                waiting.set_result(message)

    async def _render(self, order: RenderOrder) -> None:
        self.memory = order.memory
        try:
            browser = await self._open_browser(order.chromium)
            rendered = await OpenPage(order, self._ask).render(browser)
            send(self._replies, rendered)
        except Exception as error:
            print(f"{order.url}: {error}", file=sys.stderr)
            os._exit(1)

    async def _open_browser(self, chromium: str) -> Browser:
        if self._browser is not None and self._rendered >= PAGES_A_BROWSER:
            await self._browser.close()
            self._browser, self._rendered = None, 0
        self._rendered += 1
        if self._browser is None:
            self._browser = await self._playwright.chromium.launch(
                executable_path=chromium,
                args=[*ARGUMENTS],
                chromium_sandbox=True,
                env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
            )
        return self._browser

    async def _ask(self, request: PartRequest) -> PartAnswer:
        waiting: asyncio.Future[PartAnswer] = asyncio.get_running_loop().create_future()
        self._waiting[request.number] = waiting
        send(self._replies, request)
        return await waiting


async def _receive(reader: asyncio.StreamReader) -> Any:
    try:
        size = int.from_bytes(await reader.readexactly(SIZE_BYTES))
        return pickle.loads(await reader.readexactly(size))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None


async def _watch_memory(rendering: RenderingProcess) -> None:
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        if memory_of_tree(os.getpid()) > rendering.memory:
            print("rendering takes too much memory", file=sys.stderr)
            os._exit(1)


async def main(replies: BinaryIO) -> None:
    """Serves until standard input ends."""
    reader = asyncio.StreamReader(limit=LIMIT)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
    async with async_playwright() as playwright:
        rendering = RenderingProcess(replies, playwright)
        watching = asyncio.create_task(_watch_memory(rendering))
        await rendering.serve(reader)
        watching.cancel()


if __name__ == "__main__":
    os.nice(NICENESS)
    leave_root()
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # A library that prints must not spoil the replies.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    asyncio.run(main(output))
