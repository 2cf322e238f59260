"""Fetching one URL: the interface of fetchers, and the HTTP fetcher."""

from __future__ import annotations

import time
from dataclasses import replace
from email.utils import parsedate_to_datetime
from typing import Protocol

import httpx
from httpx_aiohttp import AiohttpTransport

from apps.engine.codes import Failure
from apps.engine.model import Answer, Headers
from apps.engine.networking.address_guard import AddressGuard
from apps.engine.networking.connections import GuardedResolver, Served, open_session
from apps.engine.networking.content import (
    ENCODINGS,
    SNIFFED,
    Inflater,
    is_text,
    is_text_type,
)
from apps.engine.networking.deadlines import TICK, Deadlines
from apps.engine.networking.failures import NETWORK_ERRORS, kind_of
from apps.engine.networking.redirects import MAX_REDIRECTS, REDIRECT_STATUSES, Gate, follow
from apps.engine.urls import host

ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.1"
MAX_BODY = 10 * 2**20
LEAST_ANY_TYPE = 500 * 1024


class Fetcher(Protocol):
    """Fetches URLs from the network or from a store."""

    async def fetch(
        self, url: str, gate: Gate | None = None, *, any_type: bool = False
    ) -> Answer:
        """The answer after all redirects; network errors are failures in it and never raised.

        `gate` is called with the URL and with the target of each redirect. If it returns a failure
        kind, the fetch ends with that failure, and `final_url` is the refused URL. With `any_type`,
        empty and non-text bodies are valid answers too (robots.txt).
        """

    async def close(self) -> None:
        """Closes all connections; no fetch may follow."""


class HttpFetcher:
    """Fetches over HTTP, through the address guard, with limits of time and size.

    `deadline` is in seconds for the whole fetch including redirects, without the time in which the
    event loop was blocked or the gate waited. `max_body` limits the decoded bytes of a body (LC: 10
    KB). `served` maps the hosts of a served web to its address; every other host then fails as
    `dns`. Only gzip and deflate are requested, since both can be decoded in slices. A fetcher
    belongs to the event loop of its first fetch.
    """

    def __init__(
        self,
        guard: AddressGuard,
        user_agent: str,
        deadline: float = 30,
        max_body: int = MAX_BODY,
        max_redirects: int = MAX_REDIRECTS,
        served: Served | None = None,
    ) -> None:
        self._guard = guard
        self._max_body = max_body
        self._max_redirects = max_redirects
        self._served = served
        self._deadline = deadline
        self._deadlines = Deadlines(min(TICK, deadline / 4))
        self._resolver = GuardedResolver(guard, served)
        context = httpx.create_ssl_context(trust_env=False)
        self._headers = {
            "User-Agent": user_agent,
            "Accept": ACCEPT,
            "Accept-Encoding": ENCODINGS,
        }
        # Uses the transport without httpx's client, which reads the Location of every redirect and
        # keeps cookies even if it is told not to follow redirects.
        self._transport = AiohttpTransport(
            verify=context,
            client=lambda: open_session(guard, served, self._resolver, context),
        )

    async def fetch(
        self, url: str, gate: Gate | None = None, *, any_type: bool = False
    ) -> Answer:
        """The answer after all redirects; see `Fetcher.fetch`."""
        begun, started = time.time(), time.monotonic()
        left = self._deadline

        async def exchange(hop: str) -> Answer:
            nonlocal left
            entered = self._deadlines.now
            try:
                async with self._deadlines.within(left):
                    return await self._exchange(hop, any_type)
            except NETWORK_ERRORS as error:
                failure, detail = kind_of(error)
                return Answer(hop, hop, failure=str(failure), detail=detail)
            finally:
                left -= self._deadlines.now - entered

        answer = await follow(url, gate, exchange, self._max_redirects)
        return replace(answer, fetched_at=begun, seconds=time.monotonic() - started)

    async def close(self) -> None:
        """Closes every connection."""
        await self._transport.aclose()
        await self._resolver.close()

    async def _exchange(self, url: str, any_type: bool) -> Answer:
        """Sends one request and returns its answer, without the body of a redirect."""
        if self._served is not None and host(url) not in self._served:
            return Answer(url, url, failure=str(Failure.DNS), detail="no such host in this web")
        request = httpx.Request("GET", url, headers=self._headers)
        if self._served is None and (refusal := self._guard.refusal(url)):
            return Answer(url, url, failure=str(Failure.ADDRESS_REFUSED), detail=refusal)
        response = await self._transport.handle_async_request(request)
        try:
            answer = Answer(
                url,
                url,
                status=response.status_code,
                headers=_headers(response.headers.raw),
                retry_after=_retry_after(response),
            )
            if answer.status in REDIRECT_STATUSES:
                return answer
            return await self._read(answer, response, any_type)
        finally:
            await response.aclose()

    async def _read(self, answer: Answer, response: httpx.Response, any_type: bool) -> Answer:
        """The answer with its body and, if it is not a page, its failure."""
        status = response.status_code
        failed = None if 200 <= status < 300 else f"http_{status}"
        kind = answer.header("Content-Type")
        if not any_type and is_text_type(kind) is False:
            return replace(answer, failure=failed or str(Failure.NOT_TEXT))
        # The limit for pages (LC: 10 KB) must not cut robots.txt.
        limit = max(self._max_body, LEAST_ANY_TYPE) if any_type else self._max_body
        inflater = Inflater(answer.header("Content-Encoding"), limit)
        head = b""
        async for chunk in response.aiter_raw():
            inflater.feed(chunk)
            if not any_type and len(head) < SNIFFED:
                head = inflater.head(SNIFFED)
                if not is_text(kind, head):
                    return replace(answer, failure=failed or str(Failure.NOT_TEXT))
            if inflater.truncated:
                break
        body = inflater.body()
        if not body and not any_type:
            failed = failed or str(Failure.EMPTY)
        return replace(answer, body=body, truncated=inflater.truncated, failure=failed)


def _headers(raw: list[tuple[bytes, bytes]]) -> Headers:
    return tuple((_text(name), _text(value)) for name, value in raw)


def _text(value: bytes) -> str:
    """Decodes a header as UTF-8, or else as Latin-1, which accepts any bytes."""
    try:
        text = value.decode()
    except UnicodeDecodeError:
        text = value.decode("latin-1")
    return text.replace("\0", "")


def _retry_after(response: httpx.Response) -> float | None:
    """The Retry-After of a 429 or 503 in seconds, from a number or a date; at least 0."""
    if response.status_code not in (429, 503):
        return None
    value = response.headers.get("Retry-After", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None
