"""One HTTP request and its answer, through the address guard, with limits of time and size."""

from __future__ import annotations

import ssl
import time
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

from apps.engine.answers import Answer, Headers, header_of
from apps.engine.codes import Failure
from apps.engine.kinds import is_document
from apps.engine.model import Serving
from apps.engine.networking.address_guard import AddressGuard
from apps.engine.networking.connections import (
    CheckedNames,
    GuardedResolver,
    Served,
    open_session,
    open_session_through,
)
from apps.engine.networking.content import (
    ENCODINGS,
    MAX_BODY,
    MAX_DOCUMENT,
    SNIFFED,
    document_failure,
    is_text,
    is_text_type,
    may_be_document,
)
from apps.engine.networking.deadlines import TICK, Deadlines
from apps.engine.networking.failures import NETWORK_ERRORS, kind_of
from apps.engine.networking.inflating import Inflater
from apps.engine.networking.proxy import Proxy
from apps.engine.networking.raw_headers import decoded
from apps.engine.networking.redirects import REDIRECT_STATUSES, whole
from apps.engine.urls import host_of_canonical

ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.1"
DEADLINE = 30.0
NOT_MODIFIED = 304
LEAST_ANY_TYPE = 500 * 1024
_NO_BODY = httpx.ByteStream(b"")


@dataclass(frozen=True, slots=True)
class Equipment:
    """The settings with which requests are sent. `deadline` is in seconds for a whole fetch,
    `max_body` the most decoded bytes of a body (LC: 10 KB). `served` maps the hosts of a served web
    to its address; every other host then fails as `dns`. `headers` are sent too, in place of our
    own of that name. `documents`: PDF and office documents are pages too. `main_text`: agents read
    the main text of pages. With a `proxy`, every request goes through it."""

    guard: AddressGuard
    user_agent: str
    deadline: float = DEADLINE
    max_body: int = MAX_BODY
    served: Served | None = None
    headers: Headers = ()
    documents: bool = False
    main_text: bool = False
    proxy: Proxy | None = None


class Hop(NamedTuple):
    """One request of a fetch.

    `url` is requested after the URLs `before` redirected, of which the first was requested. The
    fetch has `seconds` left; it is sent at `begun` (Unix seconds) and `started` (monotonic). With
    `any_type`, empty and non-text bodies are valid answers too (robots.txt). `again`: it was handed
    out before and never answered. `spelling` is the address as it is requested, if it differs from
    `url`, `cookies` what is sent as Cookie. The certificate of
    an `unverified` host is not checked. `headers` are sent besides: conditions of the request.
    """

    url: str
    before: Sequence[str]
    seconds: float
    any_type: bool
    begun: float
    started: float
    again: bool = False
    spelling: str = ""
    cookies: str = ""
    unverified: bool = False
    headers: Headers = ()

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
        answer of a server has the times of the request.
        Raises Unanswered, but never for a hop that is sent `again`.
        """

    async def resolve(self, host: str) -> str:
        """The first address of a host, by name or with its port; empty if it has none."""

    async def close(self) -> None:
        """Closes all connections; no request may follow."""


@cache
def _tls_context(*, verify: bool) -> ssl.SSLContext:
    """The process's settings of TLS: reading the trusted certificates takes 20 ms of each crawl."""
    return httpx.create_ssl_context(verify=verify, trust_env=False)


class HttpExchange:
    """Sends requests over connections of this process.

    The seconds of a request do not count those in which the event loop was blocked. Only gzip and
    deflate are requested; br and zstd are decoded if a server sends them unasked. Belongs to the
    event loop of its first request.
    """

    cpu_seconds = 0.0
    serving = Serving()

    def __init__(self, equipment: Equipment) -> None:
        guard, served = equipment.guard, equipment.served
        self._guard = guard
        self._served = served
        self._max_body = equipment.max_body
        self._documents = equipment.documents
        self._deadlines = Deadlines(min(TICK, equipment.deadline / 4))
        self._resolver = GuardedResolver(guard, served)
        self._proxy = equipment.proxy
        self._names = CheckedNames(self._resolver)
        self._headers = httpx.Headers(
            {
                "User-Agent": equipment.user_agent,
                "Accept": ACCEPT,
                "Accept-Encoding": ENCODINGS,
            }
        )
        self._headers.update(dict(equipment.headers))
        # Uses the transport without httpx's client, which reads the Location of every redirect and
        # keeps cookies even if it does not follow redirects.
        self._transport = self._connect(_tls_context(verify=True))
        self._unverified: AiohttpTransport | None = None

    def _connect(self, context: ssl.SSLContext) -> AiohttpTransport:
        def open_client() -> aiohttp.ClientSession:
            if self._proxy is not None:
                return open_session_through(self._proxy.address, context)
            return open_session(self._guard, self._served, self._resolver, context)

        return AiohttpTransport(verify=context, client=open_client)

    def _transport_for(self, hop: Hop) -> AiohttpTransport:
        """The connections of a hop, apart from others if they check no certificate."""
        if not hop.unverified:
            return self._transport
        if self._unverified is None:
            self._unverified = self._connect(_tls_context(verify=False))
        return self._unverified

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

    async def resolve(self, host: str) -> str:
        """The first address of a host; see `Exchange.resolve`."""
        return await self._resolver.address_of(host)

    async def close(self) -> None:
        """Closes every connection."""
        await self._transport.aclose()
        if self._unverified is not None:
            await self._unverified.aclose()
        await self._resolver.close()

    async def _exchange(self, hop: Hop) -> Answer:
        """Sends one request and returns its answer, without the body of a redirect."""
        url = hop.url
        if self._served is not None and host_of_canonical(url) not in self._served:
            return Answer(url, url, failure=str(Failure.DNS), detail="no such host in this web")
        # With a body given, httpx works out no headers for one; aiohttp adds the Host.
        headers = self._headers
        if hop.cookies or hop.headers:
            cookies = (("Cookie", hop.cookies),) if hop.cookies else ()
            more = (
                (name.encode(), value.encode("latin-1", "replace"))
                for name, value in (*cookies, *hop.headers)
            )
            headers = httpx.Headers([*headers.raw, *more])
        request = httpx.Request("GET", _address(hop), headers=headers, stream=_NO_BODY)
        request.read()
        if self._served is None and (refusal := self._guard.refusal(url)):
            return Answer(url, url, failure=str(Failure.ADDRESS_REFUSED), detail=refusal)
        if self._proxy is not None:
            await self._names.check(urlsplit(url).hostname or "")
        response = await self._transport_for(hop).handle_async_request(request)
        try:
            status, received = response.status_code, decoded(response.headers.raw)
            read = _Read()
            if status == NOT_MODIFIED and hop.headers:
                read = _Read(failure=str(Failure.NOT_MODIFIED))
            elif hop.any_type and not 200 <= status < 300:
                # What stands in the body does not matter, nor whether it can be decoded.
                read = _Read(failure=None if status in REDIRECT_STATUSES else f"http_{status}")
            elif status not in REDIRECT_STATUSES:
                read = await self._read(response, received, hop.any_type)
        finally:
            await response.aclose()
        has_more = status != NOT_MODIFIED and (read.truncated or not read.size)
        return Answer(
            url,
            url,
            status=status,
            headers=received,
            body=read.body,
            failure=read.failure,
            detail=read.detail,
            truncated=read.truncated,
            retry_after=_retry_after(response),
            fetched_at=hop.begun,
            seconds=time.monotonic() - hop.started,
            size=max(read.size, _size(received) if has_more else 0),
        )

    async def _read(self, response: httpx.Response, headers: Headers, any_type: bool) -> _Read:
        """The body and, if it is not one of a page, the failure."""
        status = response.status_code
        failed = None if 200 <= status < 300 else f"http_{status}"
        kind = header_of(headers, "Content-Type")
        is_file = self._documents and not any_type and may_be_document(kind)
        if not any_type and not is_file and is_text_type(kind) is False:
            return _Read(failure=failed or str(Failure.NOT_TEXT))
        if is_file and not failed and (size := _size(headers)) > MAX_DOCUMENT:
            return _too_large(size)
        # The limit for pages (LC: 10 KB) must not cut robots.txt.
        limit = max(self._max_body, LEAST_ANY_TYPE) if any_type else self._max_body
        limit = max(limit, MAX_DOCUMENT) if is_file else limit
        inflater = Inflater(header_of(headers, "Content-Encoding"), limit)
        head, size = b"", 0
        assert isinstance(response.stream, httpx.AsyncByteStream)
        # Without `aiter_raw`, which only cuts the chunks again and measures the time.
        async for chunk in response.stream:
            inflater.feed(chunk)
            size += len(chunk)
            if not any_type and len(head) < SNIFFED:
                head = inflater.head(SNIFFED)
                is_known = not is_file or len(head) == SNIFFED
                if is_known and (refusal := _refusal(kind, head, is_file)):
                    return _Read(failure=failed or refusal)
            if inflater.truncated:
                break
        body = inflater.body()
        if not body and not any_type:
            failed = failed or str(Failure.EMPTY)
        if is_file and not failed:
            return self._file(kind, body, inflater.truncated)._replace(size=size)
        return _Read(body, inflater.truncated, failed, size=size)

    def _file(self, kind: str | None, body: bytes, truncated: bool) -> _Read:
        """The body of a file that may be a document; a truncated document is refused as too
        large."""
        if refusal := _refusal(kind, body[:SNIFFED], is_file=True):
            return _Read(failure=refusal)
        if is_document(body):
            return _too_large() if truncated else _Read(body)
        return _Read(body[: self._max_body], truncated or len(body) > self._max_body)


class _Read(NamedTuple):
    """The body of an answer as far as it was read, and the failure if it is not a page."""

    body: bytes = b""
    truncated: bool = False
    failure: str | None = None
    detail: str = ""
    size: int = 0


def _refusal(kind: str | None, head: bytes, is_file: bool) -> str | None:
    """Why a body that begins like this cannot be a page, or None if it may; with `is_file` a
    document is one too."""
    if is_file and is_document(head):
        return None
    if is_text(kind, head):
        return None
    return str(document_failure(kind, head) if is_file else Failure.NOT_TEXT)


def _size(headers: Headers) -> int:
    """The size of a body as its server declares it; 0 if it does not."""
    value = (header_of(headers, "Content-Length") or "").strip()
    return int(value) if value.isascii() and value.isdigit() and len(value) < 19 else 0


def _too_large(size: int = 0) -> _Read:
    most = f"at most {MAX_DOCUMENT // 2**20} MiB are read"
    detail = f"{size / 2**20:,.0f} MiB; {most}" if size else most
    return _Read(failure=str(Failure.TOO_LARGE), detail=detail)


def _address(hop: Hop) -> str:
    """The address as it is requested: that of the page's host, as the server spelled it."""
    return hop.spelling or hop.url


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
