"""What a source of pages declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings

from apps.engine.networking.redirects import MAX_REDIRECTS
from apps.engine.networking.virtual_web import Web as EngineWeb
from apps.webs.models import Web

if TYPE_CHECKING:
    from apps.engine.agents.stream import StreamLine
    from apps.engine.networking.connections import Served
    from apps.engine.networking.fetcher import Fetcher
    from apps.engine.networking.http_fetcher import HttpFetcher


def always(web: Web) -> str:
    """Nothing prevents a crawl from fetching."""
    return ""


def at_once(web: Web) -> None:
    """Waits for nothing."""


@dataclass(frozen=True, slots=True)
class Source:
    """A way for a crawl to get the pages of a web.

    `over` is its name in requests, `offer` its description in the form. It is for the live Web or
    for recorded ones (`is_live`). `words` says where a crawl fetches, `refusal` why it cannot fetch
    now, or is empty. `politeness` are its defaults, `fixed` the rules that cannot be changed.
    `make_fetcher` takes the web, the opened web if it is recorded, the most bytes of a page, and
    the line to agents of other machines, if there is one.
    `is_reached_from_elsewhere`: agents of other machines can fetch it. `keeps_pages` says that
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
    make_fetcher: Callable[[Web, EngineWeb | None, int | None, StreamLine | None], Fetcher]
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


def http_fetcher(
    served: Served | None,
    max_body: int | None,
    max_redirects: int = MAX_REDIRECTS,
    agents: int = 0,
    lent: StreamLine | None = None,
) -> HttpFetcher:
    """A fetcher for the live Web, or for one web served on loopback, which is all it can reach.

    With `agents`, so many processes beside this one fetch and read the pages; `lent` leads to those
    of other machines.
    """
    # Every process of the site knows the sources; only those that fetch need HTTP clients.
    from apps.engine.agents.agents import Agents
    from apps.engine.networking.address_guard import AddressGuard
    from apps.engine.networking.content import MAX_BODY
    from apps.engine.networking.exchange import Equipment
    from apps.engine.networking.http_fetcher import HttpFetcher

    guard = AddressGuard(settings.ALLOWED_ADDRESSES)
    equipment = Equipment(
        guard, settings.USER_AGENT, max_body=max_body or MAX_BODY, served=served
    )
    exchange = Agents(equipment, agents, lent=lent) if agents or lent is not None else None
    return HttpFetcher(equipment, max_redirects, exchange)
