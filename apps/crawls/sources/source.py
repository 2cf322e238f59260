"""The declaration of a source of pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings

from apps.engine.frontier.revisits import NO_REVISITS, Revisits
from apps.engine.networking.redirects import MAX_REDIRECTS
from apps.engine.networking.webs.virtual_web import Web as EngineWeb
from apps.webs.models import Web

if TYPE_CHECKING:
    from apps.engine.agents.stream import StreamChannel
    from apps.engine.networking.connections import Served
    from apps.engine.networking.fetcher import Fetcher
    from apps.engine.networking.http_fetcher import HttpFetcher


def always(web: Web) -> str:
    """Nothing prevents a crawl from fetching."""
    return ""


def at_once(web: Web) -> None:
    """Waits for nothing."""


@dataclass(frozen=True, slots=True)
class Asking:
    """How a crawl asks for pages: the most bytes of a page that are read (None: the fetcher's
    limit), `unverified` hosts whose certificates are not checked, which may change while it runs,
    `headers` that every host gets, the line to agents of other machines, if there is one,
    whether PDF and office documents are pages too, whether pages are judged by their main text, and
    what is visited again."""

    user_agent: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    max_body: int | None = None
    max_redirects: int = MAX_REDIRECTS
    unverified: Set[str] = frozenset()
    lent: StreamChannel | None = None
    documents: bool = False
    main_text: bool = False
    revisits: Revisits = NO_REVISITS


@dataclass(frozen=True, slots=True)
class Source:
    """A way for a crawl to get the pages of a web.

    `over` is its name in requests, `offer` its description in the form. It is for the live Web or
    for recorded ones (`is_live`). `words` are where a crawl fetches, `refusal` why it cannot fetch
    now, or is empty. `politeness` are its defaults, `fixed` the rules that cannot be changed.
    `make_fetcher` takes the web, the opened web if it is recorded, and how the crawl asks.
    `is_reached_from_elsewhere`: agents of other machines can fetch it. `keeps_pages`:
    bodies go into a page store, since they could not be read again; `wait` returns once a runner
    may fetch, or raises WebNotServed.
    """

    id: str
    over: str
    is_live: bool
    title: str
    sentence: str
    offer: str
    words: Callable[[Web], str]
    politeness: Mapping[str, float]
    make_fetcher: Callable[[Web, EngineWeb | None, Asking], Fetcher]
    keeps_pages: bool = True
    is_reached_from_elsewhere: bool = False
    fixed: Mapping[str, float] | None = None
    refusal: Callable[[Web], str] = always
    wait: Callable[[Web], None] = at_once

    @property
    def sends_requests(self) -> bool:
        """Whether requests are sent to hosts."""
        return self.keeps_pages

    @property
    def delay(self) -> float:
        """The default seconds between two requests to one host."""
        return (self.fixed or self.politeness)["delay"]


def http_fetcher(served: Served | None, asking: Asking, agents: int = 0) -> HttpFetcher:
    """A fetcher for the live Web, or for one web served on loopback, which is all it can reach.

    With `agents`, so many processes beside this one fetch and read the pages.
    """
    # Every process of the site knows the sources; only those that fetch need HTTP clients.
    from apps.engine.agents.agents import Agents
    from apps.engine.networking.address_guard import AddressGuard
    from apps.engine.networking.content import MAX_BODY
    from apps.engine.networking.exchange import Equipment
    from apps.engine.networking.http_fetcher import HttpFetcher

    guard = AddressGuard(settings.ALLOWED_ADDRESSES)
    max_body, lent = asking.max_body or MAX_BODY, asking.lent
    equipment = Equipment(
        guard,
        asking.user_agent or settings.USER_AGENT,
        max_body=max_body,
        served=served,
        headers=asking.headers,
        documents=asking.documents,
        main_text=asking.main_text,
        proxy=None if served else settings.CRAWL_PROXY,
    )
    exchange = Agents(equipment, agents, lent=lent) if agents or lent is not None else None
    return HttpFetcher(
        equipment,
        asking.max_redirects,
        exchange,
        unverified=asking.unverified,
        conditions=asking.revisits.headers,
    )
