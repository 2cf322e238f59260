"""Pages fetched by several crawls of a topic: which crawls, and whose row shows the page.

Two crawls have fetched the same page if its normalised final address is the same. Every entry names
the set of crawls that have fetched its address, so that pages can be counted by crawl, selected by
crawl and shown once without looking for the other entries of the address. There are few sets: at
most as many as pages, and usually a handful.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from django.db.models import BooleanField, Count, QuerySet
from django.db.models.expressions import RawSQL

from apps.collection.models import CrawlSet, Entry
from apps.collection.stored_counts import stored_counts
from apps.crawls.models import Crawl
from apps.search.sql import Condition
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
    sets = CrawlSet.objects.filter(pk__in={*pairs.values()}).values_list("pk", "crawls")
    members = {key: members_of(crawls) for key, crawls in sets}
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


def members_of(crawls: str) -> tuple[int, ...]:
    """The keys of the crawls of a set, oldest first."""
    return tuple(map(int, crawls.split(";")))


def sets_within(topic: Topic, crawls: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """The crawls of each set of the topic, by key, that are among `crawls`, oldest first."""
    return members_among(CrawlSet.objects.filter(topic=topic).values_list("pk", "crawls"), crawls)


def sets_of_topics(topics: Collection[int]) -> dict[int, list[tuple[int, str]]]:
    """The key and the crawls of each set, by topic."""
    sets: dict[int, list[tuple[int, str]]] = {topic: [] for topic in topics}
    rows = CrawlSet.objects.filter(topic__in=topics)
    for topic, key, crawls in rows.values_list("topic", "pk", "crawls"):
        sets[topic].append((key, crawls))
    return sets


def count_shown(crawls: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """The number of different pages of crawls of some topics, by topic."""

    def count(topics: Sequence[int]) -> dict[int, int]:
        within = [crawl for topic in topics for crawl in crawls[topic]]
        sets = members_among(chain(*sets_of_topics(topics).values()), within)
        counted = shown_entries(sets).order_by().values_list("topic").annotate(Count("page_id"))
        return dict.fromkeys(topics, 0) | dict(counted)

    questions = {topic: ("shown", *of_topic) for topic, of_topic in crawls.items()}
    return stored_counts(questions, count)


def members_among(
    sets: Iterable[tuple[int, str]], crawls: Sequence[int]
) -> dict[int, tuple[int, ...]]:
    """The crawls of each set, by key, that are among `crawls`, oldest first. `sets` are the columns
    of CrawlSets, of which some topics have as many as crawls."""
    wanted = frozenset(crawls)
    return {
        key: within
        for key, members in sets
        if (within := tuple(filter(wanted.__contains__, members_of(members))))
    }


def one_row_a_page(sets: Mapping[int, tuple[int, ...]], table: str) -> Condition:
    """A condition on entries, of that name in the query: they are of the newest crawl of their set,
    whose judge began with the most examples and labels. Empty if no page has several entries."""
    if all(len(crawls) == 1 for crawls in sets.values()):
        return Condition("")
    pairs = [number for key, crawls in sets.items() for number in (key, crawls[-1])]
    values = ", ".join(["(%s, %s)"] * len(sets))
    return Condition(f"({table}.crawl_set, {table}.crawl_id) IN (VALUES {values})", tuple(pairs))


def shown_entries(sets: Mapping[int, tuple[int, ...]]) -> QuerySet[Entry]:
    """The entries that show the pages of these sets, one a page."""
    crawls = {crawl for within in sets.values() for crawl in within}
    entries = Entry.objects.filter(crawl__in=crawls)
    newest = one_row_a_page(sets, Entry._meta.db_table)
    if not newest.sql:
        return entries
    return entries.filter(RawSQL(newest.sql, newest.params, BooleanField()))


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
