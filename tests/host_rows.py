"""A crawl with the pages, links and frontier of any small graph, as its runner would leave it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import F

from apps.crawls.models import Crawl, FrontierEntry, HostRecord, Outlinks, Page
from apps.crawls.packing import pack_numbers
from apps.engine.codes import State
from apps.topics.models import Topic
from tests.crawl_rows import made_crawl, made_page

Graph = Mapping[str, Iterable[str]]
"""The links of each fetched address, in the order in which they were fetched."""

GRAPH: Graph = {
    "http://a.test/1": ["http://a.test/2", "http://b.org/1", "http://www.b.org/1"],
    "http://b.org/1": ["http://a.test/1", "http://c.test/1", "http://u.test/~ann/1"],
    "http://a.test/2": ["http://b.org/1", "http://b.org/2", "http://c.test/2"],
    "http://u.test/~ann/1": ["http://u.test/~ben/1", "http://u.test/", "http://a.test/1"],
    "http://u.test/": ["http://u.test/~ann/2", "http://ann.github.io/", "http://c.test/1"],
    "http://www.b.org/1": ["http://b.org/1", "http://ben.github.io/"],
}
RELEVANT = ("http://a.test/1", "http://a.test/2", "http://u.test/~ann/1")


def linked_crawl(
    topic: Topic, graph: Graph = GRAPH, relevant: Iterable[str] = RELEVANT, **values: Any
) -> Crawl:
    """A crawl, finished unless `values` say otherwise, that has fetched the graph's addresses."""
    crawl = made_crawl(topic, **{"state": State.FINISHED, **values})
    urls: dict[str, int] = {}
    parents: dict[str, int] = {}
    for source, targets in graph.items():
        for url in (source, *targets):
            urls.setdefault(url, len(urls))
            parents.setdefault(url, -1 if url == source else urls[source])
    FrontierEntry.objects.bulk_create(
        FrontierEntry(
            crawl=crawl,
            number=number,
            url=url,
            parent=parents[url],
            depth=0,
            priority=0.5,
            state=FrontierEntry.State.FETCHED if url in graph else FrontierEntry.State.WAITING,
        )
        for url, number in urls.items()
    )
    Page.objects.bulk_create(_pages(crawl, graph, urls, set(relevant)))
    Outlinks.objects.bulk_create(
        Outlinks(crawl=crawl, seq=seq, targets=pack_numbers([urls[url] for url in targets]))
        for seq, targets in enumerate(graph.values(), 1)
    )
    HostRecord.objects.bulk_create(_hosts(crawl, graph, urls))
    waiting = len(urls) - len(graph)
    Crawl.objects.filter(pk=crawl.pk).update(
        pages=len(graph), discovered=len(urls), waiting=waiting, commits=F("commits") + 1
    )
    crawl.refresh_from_db()
    return crawl


def _pages(crawl: Crawl, graph: Graph, urls: Mapping[str, int], relevant: set[str]) -> list[Page]:
    pages = []
    for seq, url in enumerate(graph, 1):
        page = made_page(crawl, seq)
        page.url = page.final_url = url
        page.host, page.number = url.split("/")[2], urls[url]
        page.relevant = url in relevant
        page.votes, page.votes_of = (3 if page.relevant else 0), 3
        pages.append(page)
    return pages


def _hosts(crawl: Crawl, graph: Graph, urls: Mapping[str, int]) -> list[HostRecord]:
    hosts: dict[str, HostRecord] = {}
    for url in urls:
        name = url.split("/")[2]
        row = hosts.setdefault(name, HostRecord(crawl=crawl, host=name))
        if url in graph:
            row.pages += 1
        else:
            row.waiting += 1
    return list(hosts.values())
