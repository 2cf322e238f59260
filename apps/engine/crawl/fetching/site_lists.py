"""The sitemaps and feeds of a crawl's hosts: which ones are requested, and which entries are taken.

A list is a URL of the frontier with the priority of the page that led to it, so that robots.txt,
delays, agents, checkpoints and replays treat it as any other. It is asked for once, and its entries
become children of the site's front page, or of the first page of the site that the crawl has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.frontier.queue import Frontier
from apps.engine.model import Judgement
from apps.engine.networking.page_store.records import with_body
from apps.engine.networking.robots.files import Robots
from apps.engine.parsing.site_lists.reading import is_site_list, read_site_list
from apps.engine.parsing.site_lists.site_list import SiteList, SiteListEntry
from apps.engine.urls import canonical, host_of_canonical, join, origin, registered_domain, spelled

USUAL_ADDRESS = "/sitemap.xml"
MOST_SITEMAPS = 20
"""Sitemaps asked of a host, those of an index among them."""
MOST_FEEDS = 4
MOST_DATED = 1_000
"""Entries of a sitemap, the latest, whose dates a visit notes of pages that were met before."""
DEEPEST = 3
"""Indexes within indexes."""
NOT_THERE = frozenset({"http_404", "http_410", str(Failure.EMPTY), str(Failure.NOT_TEXT)})
"""How a list fails that does not exist."""
HOSTS, NAMED, TAKEN = "site_list_hosts", "site_list_named", "site_list_taken"
"""The numbers of hosts with a list, of the entries of their lists, and of those that were new."""


class Front(NamedTuple):
    """The page whose children a host's entries become, with its judgement."""

    number: int
    topicality: float | None
    status: float | None

    @property
    def judgement(self) -> Judgement:
        return Judgement(self.topicality, self.status)


class ListOrigin(NamedTuple):
    """The host that a list is for, and in how many indexes it stands."""

    host: str
    nesting: int = 0


class SiteLists:
    """The lists of one crawl. `scope` of the frontier says whether they are asked for."""

    def __init__(self, frontier: Frontier, robots: Robots | None) -> None:
        self._frontier = frontier
        self._robots = robots
        self._fronts: dict[str, Front] = {}
        self._origins: dict[int, ListOrigin] = {}
        self._sitemaps: Counter[str] = Counter()
        self._feeds: Counter[str] = Counter()
        self._taken: Counter[str] = Counter()
        self._with_list: set[str] = set()
        self._named = 0

    @property
    def is_on(self) -> bool:
        """Whether lists are asked for."""
        return self._frontier.scope.site_lists

    # Asking ------------------------------------------------------------------------------------

    def of_page(self, number: int, feeds: Sequence[str], judgement: Judgement) -> tuple[str, ...]:
        """Notes a fetched page; returns the addresses of the lists to queue with it: the sitemaps
        of a host's first page, and new feeds."""
        frontier, url = self._frontier, self._frontier.urls[number]
        host = frontier.host_of(number).name
        front = Front(number, judgement.topicality, judgement.status)
        sitemaps: Sequence[str] = ()
        if host not in self._fronts:
            self._fronts[host] = front
            sitemaps = self._of_robots(url) or (origin(url) + USUAL_ADDRESS,)
        elif url == origin(url) + "/":
            self._fronts[host] = front
        if not feeds and not sitemaps:
            return ()
        left = max(0, MOST_FEEDS - self._feeds[host])
        return (*sitemaps[:MOST_SITEMAPS], *self._new(feeds)[:left])

    def _of_robots(self, url: str) -> tuple[str, ...]:
        addresses = self._robots.sitemaps(url) if self._robots is not None else ()
        return tuple(full for each in addresses if (full := spelled(url, each)) is not None)

    def _new(self, addresses: Iterable[str]) -> list[str]:
        urls = ((canonical(address), address) for address in addresses)
        return [a for url, a in urls if url is not None and self._frontier.number(url) is None]

    def queue(
        self, addresses: Sequence[str], number: int, feeds: Sequence[str], now: float
    ) -> None:
        """Queues the lists that `of_page` returned for a page, some of them its feeds."""
        host = self._frontier.host_of(number).name
        for address in addresses:
            counts = self._feeds if address in feeds else self._sitemaps
            self._queue(address, number, ListOrigin(host), counts, now)

    def _queue(
        self, address: str, page: int, listed_in: ListOrigin, counts: Counter[str], now: float
    ) -> None:
        number = self._frontier.queue_site_list(address, page, now)
        if number is not None:
            self._origins[number] = listed_in
            counts[listed_in.host] += 1

    # Reading -----------------------------------------------------------------------------------

    def failure(self, number: int, failure: str | None) -> str | None:
        """The failure of a list's request; one that does not exist is no fault of the host."""
        if self.is_asked(number) and (failure is None or failure in NOT_THERE):
            return Failure.NO_SITE_LIST
        return failure

    def may_be_list(self, number: int, answer: Answer) -> bool:
        """Whether an answer is that of a list, or looks like one."""
        if not self.is_on or answer.failure:
            return False
        return self.is_asked(number) or is_site_list(answer.body)

    def is_asked(self, number: int) -> bool:
        """Whether a URL was queued as the address of a list."""
        return number in self._frontier.site_lists

    def read(self, answer: Answer) -> SiteList | None:
        """The list of an answer; None if it is none. It may take a second."""
        return read_site_list(with_body(answer))

    def choose(self, number: int, answer: Answer, site_list: SiteList) -> SiteList:
        """The list with those of its entries that the crawl has not met, as many as its host may
        still add. A sitemap speaks only for its own site."""
        came_from = self._origin_of(number)
        room = self._frontier.scope.listed_per_host - self._taken[came_from.host]
        site = registered_domain(came_from.host)
        own = site_list.kind == "sitemap"
        pages = self._unmet(site_list.pages, answer.final_url, site if own else None, room)
        deeper = came_from.nesting < DEEPEST
        left = max(0, MOST_SITEMAPS - self._sitemaps[came_from.host]) if deeper else 0
        lists = self._unmet(site_list.lists, answer.final_url, None, left)
        # One that is replayed has only the entries that were chosen.
        dated = site_list.dated or (
            self._choose_dated(site_list.pages, answer.final_url, site) if own else ()
        )
        return replace(site_list, pages=pages, lists=lists, dated=dated)

    def _choose_dated(
        self, listed: Iterable[SiteListEntry], base: str, site: str
    ) -> tuple[tuple[str, str], ...]:
        """The URLs and dates of the latest entries of a site that a visit has met before."""
        revisits = self._frontier.revisits
        met: dict[str, str] = {}
        for page in listed:
            url = join(base, page.url) if page.date and len(revisits.met) else None
            if url is None or registered_domain(host_of_canonical(url)) != site:
                continue
            if revisits.has_met(url) or revisits.is_due(url):
                met[url] = page.date
        return tuple(sorted(met.items(), key=lambda entry: entry[1], reverse=True)[:MOST_DATED])

    def _unmet(
        self, listed: Iterable[SiteListEntry], base: str, site: str | None, most: int
    ) -> tuple[SiteListEntry, ...]:
        """The first `most` entries with new addresses, of one site unless that is None, by their
        full addresses."""
        unmet: dict[str, SiteListEntry] = {}
        for page in listed:
            if len(unmet) >= most:
                break
            url, address = join(base, page.url), spelled(base, page.url)
            if url is None or address is None or self._frontier.number(url) is not None:
                continue
            if self._frontier.revisits.has_met(url):
                continue
            if site is None or registered_domain(host_of_canonical(url)) == site:
                unmet.setdefault(url, page._replace(url=address))
        return tuple(unmet.values())

    def _origin_of(self, number: int) -> ListOrigin:
        of_itself = ListOrigin(self._frontier.host_of(number).name)
        return self._origins.get(number, of_itself)

    def front(self, number: int) -> Front | None:
        """The page whose children the entries of a list become; None if its host has none yet."""
        return self._fronts.get(self._origin_of(number).host)

    def took(self, number: int, site_list: SiteList, taken: int, page: int, now: float) -> None:
        """Notes that so many entries of a list were new, and queues the lists of an index."""
        came_from = self._origin_of(number)
        self._with_list.add(came_from.host)
        self._named += site_list.named - len(site_list.lists)
        self._taken[came_from.host] += taken
        within = came_from._replace(nesting=came_from.nesting + 1)
        for listed in site_list.lists:
            self._queue(listed.url, page, within, self._sitemaps, now)

    @property
    def counts(self) -> dict[str, int]:
        """The numbers for the screen."""
        return {
            HOSTS: len(self._with_list),
            NAMED: self._named,
            TAKEN: self._taken.total(),
        }

    # State -------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """The state as plain values."""
        return {
            "fronts": {host: list(front) for host, front in self._fronts.items()},
            "origins": [[number, *one] for number, one in self._origins.items()],
            "sitemaps": dict(self._sitemaps),
            "feeds": dict(self._feeds),
            "taken": dict(self._taken),
            "with_list": sorted(self._with_list),
            "named": self._named,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        self._fronts = {host: Front(*front) for host, front in state["fronts"].items()}
        self._origins = {number: ListOrigin(*one) for number, *one in state["origins"]}
        self._sitemaps = Counter(state["sitemaps"])
        self._feeds = Counter(state["feeds"])
        self._taken = Counter(state["taken"])
        self._with_list = set(state["with_list"])
        self._named = state["named"]
