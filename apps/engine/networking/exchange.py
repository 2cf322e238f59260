"""One HTTP request and its answer, through the address guard, with limits of time and size."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import NamedTuple, Protocol

import httpx
from httpx_aiohttp import AiohttpTransport

from apps.engine.codes import Failure
from apps.engine.model import Answer, Headers, Serving, header_of
from apps.engine.networking.address_guard import AddressGuard
from apps.engine.networking.connections import GuardedResolver, Served, open_session
from apps.engine.networking.content import (
    ENCODINGS,
    MAX_BODY,
    SNIFFED,
    Inflater,
    is_text,
    is_text_type,
)
from apps.engine.networking.deadlines import TICK, Deadlines
from apps.engine.networking.failures import NETWORK_ERRORS, kind_of
from apps.engine.networking.redirects import REDIRECT_STATUSES, whole
from apps.engine.urls import host_of_canonical

ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.1"
DEADLINE = 30.0
LEAST_ANY_TYPE = 500 * 1024
_NO_BODY = httpx.ByteStream(b"")


@dataclass(frozen=True, slots=True)
class Equipment:
    """What requests are sent with. `deadline` is in seconds for a whole fetch, `max_body` the most
    decoded bytes of a body (LC: 10 KB). `served` maps the hosts of a served web to its address;
    every other host then fails as `dns`."""

    guard: AddressGuard
    user_agent: str
    deadline: float = DEADLINE
    max_body: int = MAX_BODY
    served: Served | None = None


class Hop(NamedTuple):
    """One request of a fetch.

    `url` is requested after the URLs `before` redirected, of which the first was asked for. The
    fetch has `seconds` left; it began at `begun` (Unix seconds) and `started` (monotonic). With
    `any_type`, empty and non-text bodies are valid answers too (robots.txt). `again`: it was handed
    out before and never answered.
    """

    url: str
    before: Sequence[str]
    seconds: float
    any_type: bool
    begun: float
    started: float
    again: bool = False

    def whole(self, answer: Answer) -> Answer:
        """The answer of this hop as that of the fetch."""
        return whole(answer, (*self.before, self.url))


class Unanswered(Exception):
    """A request was handed out and will not be answered. It may have reached its host, which
    therefore rests for its delay before it is sent again."""


class Exchange(Protocol):
    """Sends the requests of fetches."""

    @property
    def cpu_seconds(self) -> float:
        """The CPU time that other processes have spent on them."""

    @property
    def serving(self) -> Serving:
        """The other processes that send them now."""

    async def send(self, hop: Hop) -> tuple[Answer, float]:
        """The answer to one request, without the body of a redirect, and the seconds it took.

        Network errors are failures in it and never raised. The answer is one of this hop only
        (`url` is its `final_url`), unless it has its `document`: then it is that of the fetch. An
        answer of a server has the times of the fetch so far.
        Raises Unanswered, but never for a hop that is sent `again`.
        """

    async def close(self) -> None:
        """Closes all connections; no request may follow."""


class HttpExchange:
    """Sends requests over connections of this process.

    The seconds of a request do not count those in which the event loop was blocked. Only gzip and
    deflate are requested, since both can be decoded in slices. Belongs to the event loop of its
    first request.
    """

    cpu_seconds = 0.0
    serving = Serving()

    def __init__(self, equipment: Equipment) -> None:
        guard, served = equipment.guard, equipment.served
        self._guard = guard
        self._served = served
        self._max_body = equipment.max_body
        self._deadlines = Deadlines(min(TICK, equipment.deadline / 4))
        self._resolver = GuardedResolver(guard, served)
        context = httpx.create_ssl_context(trust_env=False)
        self._headers = httpx.Headers({
            "User-Agent": equipment.user_agent,
            "Accept": ACCEPT,
            "Accept-Encoding": ENCODINGS,
        })
        # Uses the transport without httpx's client, which reads the Location of every redirect and
        # keeps cookies even if it is told not to follow redirects.
        self._transport = AiohttpTransport(
            verify=context,
            client=lambda: open_session(guard, served, self._resolver, context),
        )

    async def send(self, hop: Hop) -> tuple[Answer, float]:
        """The answer to one request; see `Exchange.send`."""
        entered = self._deadlines.now
        try:
            async with self._deadlines.within(hop.seconds):
                answer = await self._exchange(hop)
        except NETWORK_ERRORS as error:
            failure, detail = kind_of(error)
            answer = Answer(hop.url, hop.url, failure=str(failure), detail=detail)
        return answer, self._deadlines.now - entered

    async def close(self) -> None:
        """Closes every connection."""
        await self._transport.aclose()
        await self._resolver.close()

    async def _exchange(self, hop: Hop) -> Answer:
        """Sends one request and returns its answer, without the body of a redirect."""
        url = hop.url
        if self._served is not None and host_of_canonical(url) not in self._served:
            return Answer(url, url, failure=str(Failure.DNS), detail="no such host in this web")
        # With a body given, httpx works out no headers for one; aiohttp adds the Host.
        request = httpx.Request("GET", url, headers=self._headers, stream=_NO_BODY)
        request.read()
        if self._served is None and (refusal := self._guard.refusal(url)):
            return Answer(url, url, failure=str(Failure.ADDRESS_REFUSED), detail=refusal)
        response = await self._transport.handle_async_request(request)
        try:
            status, headers = response.status_code, _headers(response.headers.raw)
            read = _Read()
            if status not in REDIRECT_STATUSES:
                read = await self._read(response, headers, hop.any_type)
        finally:
            await response.aclose()
        return Answer(
            url, url, status=status, headers=headers, body=read.body, failure=read.failure,
            truncated=read.truncated, retry_after=_retry_after(response), fetched_at=hop.begun,
            seconds=time.monotonic() - hop.started,
        )

    async def _read(self, response: httpx.Response, headers: Headers, any_type: bool) -> _Read:
        """The body and, if it is not one of a page, the failure."""
        status = response.status_code
        failed = None if 200 <= status < 300 else f"http_{status}"
        kind = header_of(headers, "Content-Type")
        if not any_type and is_text_type(kind) is False:
            return _Read(failure=failed or str(Failure.NOT_TEXT))
        # The limit for pages (LC: 10 KB) must not cut robots.txt.
        limit = max(self._max_body, LEAST_ANY_TYPE) if any_type else self._max_body
        inflater = Inflater(header_of(headers, "Content-Encoding"), limit)
        head = b""
        assert isinstance(response.stream, httpx.AsyncByteStream)
        # Without `aiter_raw`, which only cuts the chunks again and measures the time.
        async for chunk in response.stream:
            inflater.feed(chunk)
            if not any_type and len(head) < SNIFFED:
                head = inflater.head(SNIFFED)
                if not is_text(kind, head):
                    return _Read(failure=failed or str(Failure.NOT_TEXT))
            if inflater.truncated:
                break
        body = inflater.body()
        if not body and not any_type:
            failed = failed or str(Failure.EMPTY)
        return _Read(body, inflater.truncated, failed)


class _Read(NamedTuple):
    """What was read of an answer's body, and the failure if it is not one of a page."""

    body: bytes = b""
    truncated: bool = False
    failure: str | None = None


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
