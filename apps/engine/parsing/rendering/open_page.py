"""One page in Chromium: opened as it was fetched, its requests handed over, read when quiet."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from playwright.async_api import Browser, Error, Page, Request, Route, WebSocketRoute

from apps.engine.answers import Headers
from apps.engine.parsing.rendering.messages import (
    IDLE_SECONDS,
    LOADING_SECONDS,
    MOST_HTML,
    MOST_REQUESTS,
    QUIET_SECONDS,
    PartAnswer,
    PartRequest,
    RenderedPage,
    RenderOrder,
)

ASKED_FOR = frozenset({"document", "script", "xhr", "fetch"})
"""What makes a text; pictures, styles, fonts, films and the rest are refused."""
READING_SECONDS = 10.0
# Open shadow roots, whose text a person sees, become the declarative ones of HTML.
_SERIALISED = """() => {
  const roots = [];
  const walk = (node) => {
    for (const element of node.querySelectorAll("*")) {
      if (element.shadowRoot) { roots.push(element.shadowRoot); walk(element.shadowRoot); }
    }
  };
  walk(document);
  const html = document.documentElement, type = document.doctype;
  if (!html) return "";
  const [open, close] = html.cloneNode(false).outerHTML.split(/(?=<\\/[^<]*$)/);
  const inner = html.getHTML({serializableShadowRoots: true, shadowRoots: roots});
  return (type ? new XMLSerializer().serializeToString(type) : "") + open + inner + (close || "");
}"""
_OF_THE_WIRE = frozenset(
    {"content-encoding", "content-length", "transfer-encoding", "connection", "set-cookie", "link"}
)
Ask = Callable[[PartRequest], Awaitable[PartAnswer]]


class OpenPage:
    """Renders one page. `ask` answers its requests."""

    def __init__(self, order: RenderOrder, ask: Ask) -> None:
        self._order = order
        self._ask = ask
        self._is_open = False
        self._under_way = 0
        self._requests = 0
        self._active_at = time.monotonic()

    async def render(self, browser: Browser) -> RenderedPage:
        """The page as HTML once it is quiet, or after its time. Raises Error and TimeoutError."""
        context = await browser.new_context(
            user_agent=self._order.user_agent, service_workers="block", accept_downloads=False
        )
        try:
            await context.route("**/*", self._on_route)
            await context.route_web_socket("**/*", _close)
            page = await context.new_page()
            context.on("page", lambda other: asyncio.ensure_future(other.close()))
            opening = asyncio.create_task(_open(page, self._order.url))
            await self._wait(opening)
            async with asyncio.timeout(READING_SECONDS):
                html = str(await page.evaluate(_SERIALISED))
            opening.cancel()
        finally:
            await context.close()
        return RenderedPage(html.encode("utf-8", "replace")[:MOST_HTML], self._requests)

    async def _wait(self, opening: asyncio.Task[None]) -> None:
        began = time.monotonic()
        while (now := time.monotonic()) - began < LOADING_SECONDS:
            await asyncio.sleep(0.1)
            if self._under_way:
                self._active_at = now
            quiet = now - self._active_at
            if quiet > IDLE_SECONDS or (opening.done() and quiet > QUIET_SECONDS):
                return

    async def _on_route(self, route: Route) -> None:
        self._active_at = time.monotonic()
        with suppress(Error):  # the page may be gone meanwhile
            request = route.request
            if not self._is_open and request.is_navigation_request():
                self._is_open = True
                await _answer(route, self._order.status, self._order.headers, self._order.body)
            elif self._may_ask(request):
                await self._hand_over(route)
            else:
                await route.abort()

    def _may_ask(self, request: Request) -> bool:
        is_left = request.is_navigation_request() and request.frame.parent_frame is None
        return (
            request.method == "GET"
            and request.resource_type in ASKED_FOR
            and request.url.startswith(("http://", "https://"))
            and not is_left
            and self._requests < MOST_REQUESTS
        )

    async def _hand_over(self, route: Route) -> None:
        self._requests += 1
        self._under_way += 1
        try:
            answer = await self._ask(PartRequest(self._requests, route.request.url))
        finally:
            self._under_way -= 1
            self._active_at = time.monotonic()
        if answer.status:
            await _answer(route, answer.status, answer.headers, answer.body)
        else:
            await route.abort()


async def _open(page: Page, url: str) -> None:
    with suppress(Error):
        await page.goto(url, wait_until="load", timeout=0)


async def _answer(route: Route, status: int, headers: Headers, body: bytes) -> None:
    sent = {name: value for name, value in headers if name.lower() not in _OF_THE_WIRE}
    await route.fulfill(status=status, headers=sent, body=body)


async def _close(socket: WebSocketRoute) -> None:
    await socket.close()
