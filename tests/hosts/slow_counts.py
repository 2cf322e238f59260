"""The counts of hosts by an obvious walk over every row, to compare with."""

from __future__ import annotations

from collections import Counter
from typing import Any

from apps.collection.models import Entry
from apps.crawls.models import Crawl, FrontierEntry, Outlinks, Page
from apps.crawls.packing import unpack_numbers
from apps.hosts.groups import domain_name, user_name, user_of
from apps.topics.models import Topic


def groups(url: str) -> list[tuple[str, str]]:
    """The host, the domain and the user of an address."""
    host = url.split("/")[2]
    return [
        ("host", host),
        ("domain", domain_name(host)),
        ("user", user_of(url) or user_name(host)),
    ]


def count(topic: Topic) -> dict[tuple[str, str], tuple[Any, ...]]:
    """(pages, judged, relevant, linked from, waiting, language, first seen) by unit and name."""
    crawls = Crawl.objects.filter(topic=topic)
    entries = list(FrontierEntry.objects.filter(crawl__in=crawls))
    pages = list(Page.objects.filter(crawl__in=crawls))
    every = {group for each in entries for group in groups(each.url)}
    every |= {group for page in pages for group in groups(page.final_url)}
    return {group: _row(group, crawls, entries, pages) for group in every}


def _row(group: Any, crawls: Any, entries: Any, pages: Any) -> tuple[Any, ...]:
    mine = [page for page in pages if group in groups(page.final_url)]
    relevant = {page.final_url for page in mine if page.votes}
    languages = Counter(
        {p.final_url: Entry.objects.get(page_id=p.pk).language for p in mine}.values()
    )
    languages.pop("", None)
    met = [entry for entry in entries if group in groups(entry.url)]
    return (
        len({page.final_url for page in mine}),
        len({page.final_url for page in mine if page.relevant is not None}),
        len(relevant),
        len(_sources(group, crawls)),
        sum(entry.state == FrontierEntry.State.WAITING for entry in met),
        min(languages, key=lambda code: (-languages[code], code), default=""),
        min(_moment(entry, crawls, pages) for entry in met),
    )


def _sources(group: Any, crawls: Any) -> set[str]:
    sources = set()
    for crawl in crawls:
        urls = dict(crawl.frontier.values_list("number", "url"))
        for row in Outlinks.objects.filter(crawl=crawl):
            source = Page.objects.get(crawl=crawl, seq=row.seq).url
            targets = [urls[number] for number in unpack_numbers(row.targets).tolist()]
            if group not in groups(source) and any(group in groups(url) for url in targets):
                sources.add(source.split("/")[2])
    return sources


def _moment(entry: FrontierEntry, crawls: Any, pages: Any) -> Any:
    for page in pages:
        if page.crawl_id == entry.crawl_id and page.number == entry.parent:
            return page.fetched_at
    return next(crawl.started_at for crawl in crawls if crawl.pk == entry.crawl_id)
