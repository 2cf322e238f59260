"""The redirects of one fetch, one exchange at a time."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.networking.redirect_cookies import RedirectCookies
from apps.engine.urls import host_of_canonical, join, spelled

Gate = Callable[[str], Awaitable[str | None]]

REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
MAX_REDIRECTS = 10
HEAD_BYTES = 16_384
"""The part of a page in which a meta refresh counts as a redirect."""
_WIDE_REFRESH = "refresh".encode("utf-16-le")
_REFRESH = re.compile(rb"http-equiv\s*=\s*[\"']?\s*refresh", re.I)


class Request(NamedTuple):
    """A request: `url` is canonical, `spelling` the address as the server wrote it, and `cookies`
    the value of the Cookie header that earlier redirects of the fetch have set."""

    url: str
    spelling: str
    cookies: str = ""


def mentions_refresh(body: bytes) -> bool:
    """Whether a page may hold a meta refresh, so that it is worth parsing for it."""
    text = body.lower()  # of ASCII letters only, also in UTF-16; three searches would cost more
    if b"refresh" in text:
        return _REFRESH.search(text) is not None
    return b"\0" in body[:100] and _WIDE_REFRESH in text


def whole(answer: Answer, urls: Sequence[str]) -> Answer:
    """The answer of the last of these URLs as that of the fetch, which requested them in turn."""
    if len(urls) == 1:
        return answer
    return replace(answer, url=urls[0], hops=tuple(urls[1:-1]))


async def follow(
    url: str,
    gate: Gate | None,
    exchange: Callable[[Request], Awaitable[Answer]],
    limit: int = MAX_REDIRECTS,
    spelling: str = "",
) -> Answer:
    """The answer of a fetch after at most `limit` redirects.

    `spelling` is the address of the URL as it is requested, if it differs. `gate` is called before
    each request with its address; if it returns a failure kind, the fetch ends
    with that failure. `exchange` answers one request and does not follow redirects.
    """
    way, answer = _Way(url, limit, spelling), None
    while answer is None:
        refused = await gate(way.request.spelling) if gate else None
        if refused:
            return way.stopped(refused)
        answer = way.after(await exchange(way.request))
    return answer


def follow_recorded(url: str, get: Callable[[str], Answer]) -> Answer:
    """The answer after all redirects where each exchange is a read from disk or memory."""
    way, answer = _Way(url), None
    while answer is None:
        answer = way.after(get(way.current))
    return answer


class _Way:
    """The URL to request next, and the final answer of the fetch.

    `current` is the canonical URL to request now, `request` how it is requested. This class does no
    I/O, so that live, recorded and generated webs share it.
    """

    def __init__(self, url: str, limit: int = MAX_REDIRECTS, spelling: str = "") -> None:
        self._urls = [url]
        self._limit = limit
        self._cookies = RedirectCookies()
        self.request = Request(url, spelling or url)
        self._sent = {self.request}

    @property
    def current(self) -> str:
        return self._urls[-1]

    def after(self, answer: Answer) -> Answer | None:
        """The final answer, or None after a redirect: request `current` next.

        A redirect without a Location is a `protocol` failure, one to anything but an http(s) URL is
        `bad_url`. The same request twice, cookies included, or too many redirects are
        `too_many_redirects`.
        """
        if answer.status not in REDIRECT_STATUSES or answer.failure:
            return whole(answer, self._urls)
        location = answer.header("Location")
        if not location:
            return self.stopped(Failure.PROTOCOL, "a redirect without a Location", answer)
        spelling = spelled(self.request.spelling, location)
        target = join(self.current, location)
        if target is None or spelling is None:
            return self.stopped(Failure.BAD_URL, f"redirected to {location[:200]}", answer)
        self._cookies.take(host_of_canonical(self.current), answer.headers)
        request = Request(target, spelling, self._cookies.header(host_of_canonical(target)))
        if request in self._sent or len(self._urls) > self._limit:
            return self.stopped(Failure.TOO_MANY_REDIRECTS, f"redirected to {target}", answer)
        self._urls.append(target)
        self._sent.add(request)
        self.request = request
        return None

    def stopped(self, failure: str, detail: str = "", last: Answer | None = None) -> Answer:
        """The final answer of a fetch that fails at `current`."""
        return Answer(
            url=self._urls[0],
            final_url=self.current,
            hops=tuple(self._urls[1:-1]),
            status=last.status if last else None,
            headers=last.headers if last else (),
            failure=str(failure),
            detail=detail,
        )
