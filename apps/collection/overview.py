"""The contents of each collection in numbers, for a list with one row a topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db.models import Count, OuterRef, Subquery

from apps.collection.models import Entry
from apps.collection.shared_pages.same_page import sets_within
from apps.crawls.models import Crawl, HostRecord, Page
from apps.crawls.selectors import visible_crawls
from apps.topics.models import Topic
from apps.topics.selectors import visible_topics


@dataclass(frozen=True, slots=True)
class Collected:
    """The collection of a topic over its visible crawls, oldest first.

    `pages` counts distinct pages, fetched `fetched` times; `unlisted` more are not indexed yet.
    `newness` has, by crawl with pages, the share of its pages that no earlier crawl has fetched.
    `judged`, `relevant`, `target_pages`, `yes` and `no` (labels) count distinct pages too. `latest`
    is when the last page was fetched. `readable` says whether the topic itself is visible.
    """

    topic: Topic
    crawls: tuple[Crawl, ...]
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


class _Cell(NamedTuple):
    """The number of a crawl's entries with these values; columns as in Entry."""

    crawl: int
    crawl_set: int
    verdict: int
    label: bool | None
    target: bool
    entries: int


def collections(user: User, keys: Sequence[int]) -> list[Collected]:
    """The collections of the topics of these keys, in their order; of a topic that is not visible
    itself one of each visible crawl with pages."""
    latest = Page.objects.filter(crawl=OuterRef("pk")).order_by("-seq").values("fetched_at")[:1]
    crawls = visible_crawls(user).filter(topic__in=keys).order_by("pk")
    # Of a thousand crawls, no more than is counted: neither their shares nor what they measured.
    counted = crawls.select_related(None).prefetch_related(None).only("pk", "topic", "pages")
    by_topic: dict[int, list[Crawl]] = {pk: [] for pk in keys}
    for crawl in counted.annotate(latest=Subquery(latest)):
        by_topic[crawl.topic_id].append(crawl)
    readable = set(visible_topics(user).filter(pk__in=keys).values_list("pk", flat=True))
    topics = Topic.objects.annotate(named=Count("targets")).in_bulk(keys)
    cells = _cells([crawl.pk for each in by_topic.values() for crawl in each])
    return [
        _collected(topics[pk], of_row, pk in readable, topics[pk].named, cells)
        for pk in keys
        for of_row in ([by_topic[pk]] if pk in readable else [[c] for c in by_topic[pk] if c.pages])
        if pk in topics
    ]


def _cells(crawls: Sequence[int]) -> dict[int, list[_Cell]]:
    """Cells by crawl, from one scan of an index that covers all the columns."""
    names = ("crawl", "crawl_set", "verdict", "label", "target")
    rows = Entry.objects.filter(crawl__in=crawls).order_by().values_list(*names)
    cells: dict[int, list[_Cell]] = {}
    for row in rows.annotate(entries=Count("page_id")):
        cells.setdefault(row[0], []).append(_Cell(*row))
    return cells


def _hosts(crawls: Sequence[Crawl]) -> int:
    """The number of hosts of their pages."""
    with_pages = HostRecord.objects.filter(crawl__in=[crawl.pk for crawl in crawls], pages__gt=0)
    return with_pages.order_by().values("host").distinct().count()


def _collected(
    topic: Topic,
    crawls: Sequence[Any],
    readable: bool,
    targets: int,
    cells: Mapping[int, list[_Cell]],
) -> Collected:
    sets = sets_within(topic, [crawl.pk for crawl in crawls])
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
        targets,
        _hosts(crawls),
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


def _newness(cells: Sequence[_Cell], sets: Mapping[int, tuple[int, ...]]) -> float:
    """The share of one crawl's pages that no crawl before it has fetched."""
    new = sum(cell.entries for cell in cells if sets[cell.crawl_set][0] == cell.crawl)
    return new / sum(cell.entries for cell in cells)
