"""The numbers of a topic's hosts, domains and users, from pages, links and frontiers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from django.db.models import Min, Q, Sum

from apps.collection.models import Entry
from apps.crawls.models import Crawl, FrontierEntry, HostRecord, Page
from apps.engine.urls import canonical
from apps.hosts.groups import domain_name, user_name, user_of
from apps.hosts.models import HostGrouping as Unit
from apps.hosts.models import HostLink, HostSummary
from apps.hosts.numbering import CHUNK, Spot, hosts_by_number
from apps.topics.models import Topic

FOLDERS = ("/~", "/@")
READ_AT_ONCE = 10_000
UNJUDGED = -1
"""The verdict of an entry without one."""


@dataclass(slots=True)
class HostTally:
    """The numbers of one host, domain or user; `sources` numbers the hosts that link to it."""

    pages: int = 0
    judged: int = 0
    relevant: int = 0
    waiting: int = 0
    languages: Counter[str] = field(default_factory=Counter)
    sources: set[int] = field(default_factory=set)
    first_seen: datetime | None = None

    def add(self, part: HostTally, times: int = 1) -> None:
        """Adds the numbers of a part; takes them away with −1."""
        self.pages += times * part.pages
        self.judged += times * part.judged
        self.relevant += times * part.relevant
        self.waiting += times * part.waiting
        for language, pages in part.languages.items():
            self.languages[language] += times * pages

    def see(self, at: datetime | None) -> None:
        """Takes a time at which it was met, if that is the earliest."""
        if at is not None and (self.first_seen is None or at < self.first_seen):
            self.first_seen = at

    @property
    def language(self) -> str:
        """The language of most of its pages, the first in the alphabet of several; or empty."""
        best = max(self.languages.items(), key=lambda each: (each[1], each[0]), default=("", 0))
        ties = [code for code, pages in self.languages.items() if pages == best[1] > 0]
        return min(ties, default="")


HostTallies = dict[Spot, HostTally]


class PageCounter:
    """Counts addresses once, and as judged and relevant if any crawl's judge has judged them or
    calls them so."""

    def __init__(self) -> None:
        self.tallies: dict[str, HostTally] = defaultdict(HostTally)
        self._verdicts: dict[int, int] = {}

    def count(self, name: str, address: int, verdict: int, language: str) -> None:
        """Counts one crawl's fetch of an address of a host or user."""
        tally, before = self.tallies[name], self._verdicts.get(address, UNJUDGED)
        if address not in self._verdicts:
            tally.pages += 1
            if language:
                tally.languages[language] += 1
        tally.judged += verdict > UNJUDGED == before
        tally.relevant += verdict > 0 >= before
        self._verdicts[address] = max(verdict, before)


def tally_hosts(topic: Topic) -> HostTallies:
    """The numbers of every host that a crawl of the topic has met, of its domains and users."""
    crawls = list(Crawl.objects.filter(topic=topic))
    keys = [crawl.pk for crawl in crawls]
    spots = _spots(topic)
    hosts, users = _count_hosts(keys), _count_users(keys)
    met = {spots[key] for key in met_hosts(crawls) if key in spots}
    for unit, name in met:
        (users if unit == Unit.USER else hosts)[name]
    for user in users:
        hosts[host_of(user)]
    seen = _first_seen(topic, hosts)
    tallies: HostTallies = {}
    for host, tally in hosts.items():
        _add_host(tallies, host, tally, seen.get((Unit.HOST, host)))
    for user, tally in users.items():
        _add_user(tallies, user, tally, seen.get((Unit.USER, user)))
    for host in {host_of(user) for user in users}:
        rest = tallies[Unit.USER, user_name(host)]
        if (Unit.HOST, host) not in met and not rest.pages and not rest.waiting:
            del tallies[Unit.USER, user_name(host)]
    _add_sources(keys, spots, tallies)
    return tallies


def met_hosts(crawls: Iterable[Crawl]) -> set[int]:
    """The keys of the hosts of all addresses of these crawls."""
    return {key for crawl in crawls for key in np.unique(hosts_by_number(crawl)).tolist()}


def host_of(name: str) -> str:
    """The host in the name of a user."""
    return name.partition("/")[0]


def _add_host(tallies: HostTallies, host: str, tally: HostTally, seen: datetime | None) -> None:
    for spot in _groups(host):
        tallies.setdefault(spot, HostTally()).add(tally)
        tallies[spot].see(seen)


def _add_user(tallies: HostTallies, user: str, tally: HostTally, seen: datetime | None) -> None:
    """Adds a user that an address names: part of a host, but none of the rest."""
    host, domain, rest = _groups(host_of(user))
    for spot in (host, domain):
        tallies[spot].see(seen)
    tallies[rest].add(tally, -1)
    own = tallies.setdefault((Unit.USER, user), HostTally())
    own.add(tally)
    own.see(seen)


def _spots(topic: Topic) -> dict[int, Spot]:
    """The hosts, and the users that addresses name, by their keys."""
    rows = HostSummary.objects.filter(topic=topic).exclude(name__startswith="*.")
    return {pk: (unit, name) for pk, unit, name in rows.values_list("pk", "unit", "name")}


def _groups(host: str) -> tuple[Spot, Spot, Spot]:
    users = Unit.USER, user_name(host)
    return (Unit.HOST, host), (Unit.DOMAIN, domain_name(host)), users


def _count_hosts(crawls: Sequence[int]) -> dict[str, HostTally]:
    """The pages of each host by the collection's entries, and what waits by the crawls' hosts."""
    counter = PageCounter()
    pages = Entry.objects.filter(crawl__in=crawls).order_by()
    columns = pages.values_list("host", "address", "verdict", "language")
    for row in columns.iterator(READ_AT_ONCE):
        counter.count(*row)
    waiting = HostRecord.objects.filter(crawl__in=crawls).order_by().values_list("host")
    for host, number in waiting.annotate(links=Sum("waiting")):
        counter.tallies[host].waiting = number
    return counter.tallies


def _count_users(crawls: Sequence[int]) -> dict[str, HostTally]:
    """Counts by the users that addresses name."""
    counter = PageCounter()
    pages = Page.objects.filter(_names_users("final_url"), crawl__in=crawls).order_by()
    for chunk in _chunks(pages.values_list("pk", "final_url").iterator(CHUNK)):
        users = {pk: user for pk, url in chunk if (user := user_of(canonical(url) or url))}
        entries = Entry.objects.filter(page_id__in=users).order_by()
        columns = entries.values_list("page_id", "address", "verdict", "language")
        for pk, address, verdict, language in columns:
            counter.count(users[pk], address, verdict, language)
    waiting = FrontierEntry.objects.filter(
        _names_users("url"), crawl__in=crawls, state=FrontierEntry.State.WAITING
    )
    for url in waiting.order_by().values_list("url", flat=True).iterator(READ_AT_ONCE):
        if user := user_of(url):
            counter.tallies[user].waiting += 1
    return counter.tallies


def _names_users(column: str) -> Q:
    either = Q()
    for folder in FOLDERS:
        either |= Q(**{f"{column}__contains": folder})
    return either


def _chunks(rows: Iterable[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    chunk: list[tuple[int, str]] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    yield chunk


def _first_seen(topic: Topic, hosts: Iterable[str]) -> dict[Spot, datetime]:
    """When hosts and users were met first: as addresses, or where a redirect led."""
    rows = HostSummary.objects.filter(topic=topic, met_at__isnull=False)
    dated = rows.values_list("unit", "name", "met_at")
    seen = {(unit, name): at for unit, name, at in dated if at is not None}
    missing = [host for host in hosts if (Unit.HOST, host) not in seen]
    for start in range(0, len(missing), CHUNK):
        pages = Page.objects.filter(crawl__topic=topic, host__in=missing[start : start + CHUNK])
        for host, at in pages.order_by().values_list("host").annotate(at=Min("fetched_at")):
            seen[Unit.HOST, host] = at
    return seen


def _add_sources(crawls: Sequence[int], spots: dict[int, Spot], tallies: HostTallies) -> None:
    """Adds to each group the hosts outside of it that link to it."""
    groups = {key: _groups_of(spot) for key, spot in spots.items()}
    numbers: dict[Spot, int] = {}
    links = HostLink.objects.filter(crawl__in=crawls).order_by().distinct()
    for source, target in links.values_list("source", "target").iterator(READ_AT_ONCE):
        host = numbers.setdefault(groups[source][0], len(numbers))
        for of_source, of_target in zip(groups[source], groups[target], strict=True):
            if of_source != of_target and of_target in tallies:
                tallies[of_target].sources.add(host)


def _groups_of(spot: Spot) -> tuple[Spot, Spot, Spot]:
    """The host, the domain and the user of a host or of a user's part of one."""
    host, domain, user = _groups(host_of(spot[1]))
    return host, domain, (spot if spot[0] == Unit.USER else user)
