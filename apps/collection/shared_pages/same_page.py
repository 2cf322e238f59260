"""Pages fetched by several crawls of a topic: which crawls, and whose row shows the page.

Two crawls have fetched the same page if its normalised final address is the same. Every entry names
the set of crawls that have fetched its address, so that pages can be counted by crawl, selected by
crawl and shown once without looking for the other entries of the address. There are few sets: at
most as many as pages, and usually a handful.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from apps.collection.models import CrawlSet, Entry
from apps.crawls.models import Crawl
from apps.topics.models import Topic


def add_to_sets(crawl: Crawl, addresses: Sequence[int]) -> dict[int, int]:
    """The key of each address's set, now that `crawl` has fetched it too; other crawls' entries of
    these addresses are moved to the same sets.

    Call it in the transaction that lists the pages, after `lock_topic`, so that two crawls listing
    the same address at once see each other.
    """
    before = _sets_of(crawl, addresses)
    keys = _Keys(crawl.topic_id)
    sets: dict[int, int] = {}
    together: dict[int, list[int]] = {}
    for address in addresses:
        others = before.get(address, ())
        sets[address] = key = keys.of({*others, crawl.pk})
        if others:
            together.setdefault(key, []).append(address)
    for key, shared in together.items():
        Entry.objects.filter(topic=crawl.topic_id, address__in=shared).update(crawl_set=key)
    return sets


def _sets_of(crawl: Crawl, addresses: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """The crawls that have fetched each address so far."""
    listed = Entry.objects.filter(topic=crawl.topic_id, address__in=addresses)
    pairs = dict(listed.order_by().values_list("address", "crawl_set"))
    members = {row.pk: row.members for row in CrawlSet.objects.filter(pk__in={*pairs.values()})}
    return {address: members[key] for address, key in pairs.items()}


class _Keys:
    """The keys of a topic's sets; missing sets are made."""

    def __init__(self, topic: int) -> None:
        self._topic = topic
        self._keys: dict[tuple[int, ...], int] = {}

    def of(self, crawls: Iterable[int]) -> int:
        members = tuple(sorted(crawls))
        if members not in self._keys:
            row, _ = CrawlSet.objects.get_or_create(
                topic_id=self._topic, crawls=";".join(map(str, members))
            )
            self._keys[members] = row.pk
        return self._keys[members]


def sets_within(topic: Topic, crawls: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """The crawls of each set of the topic, by key, that are among `crawls`, oldest first."""
    wanted = frozenset(crawls)
    return {
        row.pk: within
        for row in CrawlSet.objects.filter(topic=topic)
        if (within := tuple(crawl for crawl in row.members if crawl in wanted))
    }


def hidden_sets(sets: Mapping[int, tuple[int, ...]]) -> dict[int, list[int]]:
    """For each crawl the sets whose entries it hides, because a newer crawl shows these pages.

    The newest crawl shows a page, since its judge began with the most examples and labels.
    """
    hidden: dict[int, list[int]] = {}
    for key, crawls in sets.items():
        for older in crawls[:-1]:
            hidden.setdefault(older, []).append(key)
    return hidden


def shown_entries(sets: Mapping[int, tuple[int, ...]]) -> QuerySet[Entry]:
    """The entries that show the pages of these sets, one a page."""
    crawls = {crawl for within in sets.values() for crawl in within}
    entries = Entry.objects.filter(crawl__in=crawls)
    for crawl, keys in hidden_sets(sets).items():
        entries = entries.exclude(crawl=crawl, crawl_set__in=keys)
    return entries


@dataclass(frozen=True, slots=True)
class PageVisit:
    """A page's row in one crawl: its key, its number from 1, and its verdict as in `Entry`."""

    page: int
    crawl: int
    seq: int
    verdict: int


def page_visits(crawls: Sequence[int], pages: Sequence[int]) -> dict[int, tuple[PageVisit, ...]]:
    """The rows of each page (by the key of its row) in these crawls, oldest crawl first."""
    shown = dict(Entry.objects.filter(page_id__in=pages).values_list("page_id", "address"))
    topics = Crawl.objects.filter(pk__in=crawls).values("topic")
    rows = Entry.objects.filter(
        topic__in=topics, address__in={*shown.values()}, crawl__in=crawls
    ).values_list("address", "page_id", "crawl", "seq", "verdict")
    by_address: dict[int, list[PageVisit]] = {}
    for address, *columns in rows.order_by("crawl", "seq"):
        by_address.setdefault(address, []).append(PageVisit(*columns))
    return {page: tuple(by_address.get(address, ())) for page, address in shown.items()}


def verdicts_differ(visits: Iterable[PageVisit]) -> bool:
    """Whether some crawls call the page relevant and others do not, ignoring those without a
    verdict."""
    return len({visit.verdict > 0 for visit in visits if visit.verdict >= 0}) > 1
