"""Fetching one URL over HTTP."""

from __future__ import annotations

import time
from collections.abc import Callable, Set
from dataclasses import replace

from apps.engine.answers import Answer, Headers, SentHop
from apps.engine.codes import Failure
from apps.engine.model import Serving
from apps.engine.networking.exchange import (
    Equipment,
    Exchange,
    Hop,
    HttpExchange,
    Unanswered,
)
from apps.engine.networking.redirects import MAX_REDIRECTS, Gate, Request, follow
from apps.engine.urls import host_of_canonical


def no_conditions(url: str) -> Headers:
    """The conditions of a crawl without earlier copies: none."""
    return ()


class HttpFetcher:
    """Fetches over HTTP by the requests of an `exchange`, by default over this process's own
    connections.

    The equipment's deadline is for the whole fetch including redirects, without the time in which
    the event loop was blocked or the gate waited. The certificates of the hosts in `unverified`,
    which may change, are not checked. `conditions` are the headers with which a URL is requested
    if an earlier copy of it is stored: its answer may be the failure `not_modified` then. A fetcher
    belongs to the event loop of its first fetch.
    """

    def __init__(
        self,
        equipment: Equipment,
        max_redirects: int = MAX_REDIRECTS,
        exchange: Exchange | None = None,
        unverified: Set[str] = frozenset(),
        conditions: Callable[[str], Headers] = no_conditions,
    ) -> None:
        self._deadline = equipment.deadline
        self._max_redirects = max_redirects
        self._exchange = exchange or HttpExchange(equipment)
        self._unverified = unverified
        self._conditions = conditions

    async def fetch(
        self, url: str, gate: Gate | None = None, *, any_type: bool = False, spelling: str = ""
    ) -> Answer:
        """The answer after all redirects; see `Fetcher.fetch`."""
        begun, started = time.time(), time.monotonic()
        left = self._deadline
        before: list[str] = []
        sent: list[SentHop] = []

        async def send(request: Request) -> Answer:
            nonlocal left, begun, started
            url, begun, started = request.url, time.time(), time.monotonic()
            hop = Hop(
                url,
                tuple(before),
                left,
                any_type,
                begun,
                started,
                spelling=request.spelling,
                cookies=request.cookies,
                unverified=bool(self._unverified) and host_of_canonical(url) in self._unverified,
                headers=() if before else self._conditions(url),
            )
            try:
                answer, seconds = await self._exchange.send(hop)
            except Unanswered:
                sent.append(SentHop(url, begun, failure=Failure.INTERRUPTED))
                if gate is not None and (refusal := await gate(request.spelling)) is not None:
                    return Answer(url, url, failure=refusal)
                begun, started = time.time(), time.monotonic()
                hop = hop._replace(again=True, begun=begun, started=started)
                answer, seconds = await self._exchange.send(hop)
            sent.append(_hop_of(answer, begun))
            before.append(url)
            left -= seconds
            return answer

        answer = await follow(url, gate, send, self._max_redirects, spelling)
        if len(sent) != 1 or answer.final_url != url:
            answer = replace(answer, sent=tuple(sent))
        if answer.fetched_at == begun:  # the exchange set both
            return answer
        return replace(answer, fetched_at=begun, seconds=time.monotonic() - started)

    @property
    def cpu_seconds(self) -> float:
        """See `Fetcher.cpu_seconds`."""
        return self._exchange.cpu_seconds

    @property
    def agents(self) -> Serving:
        """See `Fetcher.agents`."""
        return self._exchange.serving

    async def resolve(self, host: str) -> str:
        """The first address of a host, by name or with its port; empty if it has none."""
        return await self._exchange.resolve(host)

    async def close(self) -> None:
        """Closes every connection."""
        await self._exchange.close()


def _hop_of(answer: Answer, begun: float) -> SentHop:
    """One request with its answer."""
    hop = answer.sent_hops[-1]
    return hop if hop.at else hop._replace(at=begun)
