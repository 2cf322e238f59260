"""The contents of each collection in numbers, for a list with one row a topic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, starmap
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Count, OuterRef, QuerySet, Subquery

from apps.collection.shared_pages.entry_counts import EntryCount, count_entries
from apps.collection.shared_pages.same_page import members_among, sets_of_topics
from apps.crawls.models import Crawl, HostRecord, Page
from apps.crawls.selectors import visible_crawls
from apps.topics.models import Topic
from apps.topics.selectors import visible_topics


class CountedCrawl(NamedTuple):
    """What is counted of a crawl: rows of a thousand crawls would take half of the list's time."""

    pk: int
    topic: int
    pages: int
    latest: datetime | None


@dataclass(frozen=True, slots=True)
class Collected:
    """The collection of a topic over its visible crawls, oldest first.

    `pages` counts distinct pages, fetched `fetched` times; `unlisted` more are not indexed yet.
    `newness` has, by crawl with pages, the share of its pages that no earlier crawl has fetched.
    `judged`, `relevant`, `target_pages`, `yes` and `no` (labels) count distinct pages too. `latest`
    is when the last page was fetched. `readable` says whether the topic itself is visible.
    """

    topic: Topic
    crawls: tuple[CountedCrawl, ...]
    readable: bool
    targets: int
    hosts: int = 0
    latest: datetime | None = None
    pages: int = 0
    fetched: int = 0
    unlisted: int = 0
    newness: tuple[float, ...] = ()
    judged: int = 0
    relevant: int = 0
    target_pages: int = 0
    yes: int = 0
    no: int = 0


def collections(user: User, keys: Sequence[int]) -> list[Collected]:
    """The collections of the topics of these keys, in their order; of a topic that is not visible
    itself one of each visible crawl with pages."""
    if not keys:
        return []
    latest = Page.objects.filter(crawl=OuterRef("pk")).order_by("-seq").values("fetched_at")[:1]
    crawls = visible_crawls(user).filter(topic__in=keys).order_by("pk")
    by_topic: dict[int, list[CountedCrawl]] = {pk: [] for pk in keys}
    rows = crawls.annotate(latest=Subquery(latest)).values_list(*CountedCrawl._fields)
    for crawl in starmap(CountedCrawl, rows):
        by_topic[crawl.topic].append(crawl)
    readable = set(visible_topics(user).filter(pk__in=keys).values_list("pk", flat=True))
    topics = Topic.objects.only("name").annotate(named=Count("targets")).in_bulk(keys)
    cells = _cells({topic: [crawl.pk for crawl in each] for topic, each in by_topic.items()})
    sets = sets_of_topics(keys)
    of_topics, of_crawls = _count_hosts(crawls, "topic"), {}
    if len(readable) < len(keys):
        of_crawls = _count_hosts(crawls.exclude(topic__in=readable), "pk")
    listed = []
    for pk in filter(topics.__contains__, keys):
        if pk in readable:
            lines = [(by_topic[pk], of_topics.get(pk, 0))]
        else:
            lines = [([crawl], of_crawls.get(crawl.pk, 0)) for crawl in by_topic[pk] if crawl.pages]
        for of_line, hosts in lines:
            listed.append(_collected(topics[pk], of_line, pk in readable, hosts, cells, sets[pk]))
    return listed


def _cells(crawls: Mapping[int, Sequence[int]]) -> dict[int, list[EntryCount]]:
    """The cells of each crawl of these topics."""
    cells: dict[int, list[EntryCount]] = {}
    for cell in chain(*count_entries(crawls).values()):
        cells.setdefault(cell.crawl, []).append(cell)
    return cells


def _count_hosts(crawls: QuerySet[Crawl], by: str) -> dict[int, int]:
    """The number of hosts of these crawls' pages, by the crawls' `topic` or `pk`."""
    with_pages = HostRecord.objects.filter(crawl__in=crawls.order_by().values("pk"), pages__gt=0)
    key = f"crawl__{by}"
    sql, values = with_pages.order_by().values(key, "host").distinct().query.sql_with_params()
    with connection.cursor() as cursor:
        # PostgreSQL would sort all hosts for a COUNT(DISTINCT host).
        cursor.execute(f"SELECT {key}, COUNT(*) FROM ({sql}) AS pairs GROUP BY {key}", values)
        return dict(cursor.fetchall())


def _collected(
    topic: Any,
    crawls: Sequence[CountedCrawl],
    readable: bool,
    hosts: int,
    cells: Mapping[int, list[EntryCount]],
    every_set: Iterable[tuple[int, str]],
) -> Collected:
    sets = members_among(every_set, [crawl.pk for crawl in crawls])
    own = {crawl.pk: cells.get(crawl.pk, []) for crawl in crawls}
    listed = sum(cell.entries for each in own.values() for cell in each)
    # A page is counted for the newest of its crawls, which shows it.
    shown = [
        cell for each in own.values() for cell in each if sets[cell.crawl_set][-1] == cell.crawl
    ]
    fetched = sum(crawl.pages for crawl in crawls)
    return Collected(
        topic,
        tuple(crawls),
        readable,
        topic.named,
        hosts,
        latest=max((crawl.latest for crawl in crawls if crawl.latest), default=None),
        pages=sum(cell.entries for cell in shown),
        fetched=fetched,
        unlisted=max(0, fetched - listed),
        newness=tuple(_newness(each, sets) for each in own.values() if each),
        judged=sum(cell.entries for cell in shown if cell.verdict >= 0),
        relevant=sum(cell.entries for cell in shown if cell.verdict > 0),
        target_pages=sum(cell.entries for cell in shown if cell.target),
        yes=sum(cell.entries for cell in shown if cell.label is True),
        no=sum(cell.entries for cell in shown if cell.label is False),
    )


def _newness(cells: Sequence[EntryCount], sets: Mapping[int, tuple[int, ...]]) -> float:
    """The share of one crawl's pages that no crawl before it has fetched."""
    new = sum(cell.entries for cell in cells if sets[cell.crawl_set][0] == cell.crawl)
    return new / sum(cell.entries for cell in cells)
