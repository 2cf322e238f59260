"""Sitemaps and feeds read by a crawl: the entry of one address, and counts."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from apps.crawls.models import Crawl
from apps.engine.codes import Failure
from apps.engine.crawl.fetching.site_lists import HOSTS, MOST_FEEDS, MOST_SITEMAPS, NAMED, TAKEN
from apps.engine.parsing.site_lists.site_list import SiteList
from apps.engine.urls import canonical, host


@dataclass(frozen=True, slots=True)
class ListedIn:
    """The entry of one address in a sitemap or a feed (`kind`), with the address of that list."""

    list_url: str
    kind: str
    title: str
    text: str
    date: str


@dataclass(frozen=True, slots=True)
class SiteListCounts:
    """The number of hosts with a list, of entries in their lists, and of new addresses in these."""

    hosts: int
    named: int
    taken: int


def listed_in(crawl: Crawl, url: str) -> ListedIn | None:
    """The first entry of an address in a list of its host; None if it is in no list."""
    if not crawl.metrics.get(HOSTS):
        return None
    lists = crawl.failed_requests.filter(
        kind=Failure.SITE_LIST, host__in=_hosts_of_lists(url), site_list__isnull=False
    )
    for row in lists.order_by("request")[: MOST_SITEMAPS + MOST_FEEDS]:
        assert row.site_list is not None
        site_list = SiteList.of_plain(row.site_list)
        for page in site_list.pages:
            if canonical(page.url) == url:
                return ListedIn(row.url, site_list.kind, page.title, page.text, page.date)
    return None


def _hosts_of_lists(url: str) -> list[str]:
    """The hosts that may list an address: its own, with and without www."""
    name = host(url)
    bare = name.removeprefix("www.")
    return [name, bare, f"www.{bare}"] if urlsplit(url).hostname else []


def site_list_counts(crawl: Crawl) -> SiteListCounts | None:
    """The counts of a crawl's lists; None if it has read none."""
    hosts, named, taken = (int(crawl.metrics.get(name) or 0) for name in (HOSTS, NAMED, TAKEN))
    return SiteListCounts(hosts, named, taken) if hosts else None
