"""How far the pages of a host look made by a machine or by one template: a remark for people, for
which nothing is left out.

It is counted in the background with the hosts, in memory that does not grow with a host.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from apps.collection.blocks import in_blocks
from apps.collection.models import Entry, MainText
from apps.crawls.models import Crawl, Page
from apps.engine.urls import host_of_canonical
from apps.hosts.models import HostGrouping, HostMakeUp, HostSummary
from apps.topics.models import Topic

LEAST_PAGES = 20
"""Pages without which a host is not looked at."""
NEAR_DUPLICATE, TEMPLATE, PATTERN = 0.5, 0.8, 0.9
"""The shares from which on a host is flagged."""
LARGE, GROWTH = 10_000, 1.1
"""A host with more pages is only looked at again once it has grown by a tenth."""
PAGES_AT_ONCE, TEXTS_AT_ONCE = 5_000, 500
_PART = re.compile(r"[^/?&=.-]*\d[^/?&=.-]*")
MOST_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class HostPageCounts:
    """How many pages of a host the collection has, has read, and has folded as near-duplicates."""

    pages: int
    read: int
    folded: int


def count_make_ups(topic: Topic, goes_on: Callable[[], bool] = lambda: True) -> bool:
    """Looks at the hosts of a topic whose pages have changed since; False if it was broken off."""
    crawls = list(Crawl.objects.filter(topic=topic).values_list("pk", flat=True))
    counts = {host: one for host, one in _counts(crawls).items() if one.pages >= LEAST_PAGES}
    hosts = HostSummary.objects.filter(topic=topic, unit=HostGrouping.HOST)
    keys = {name: pk for name, pk in hosts.values_list("name", "pk") if name in counts}
    before = HostMakeUp.objects.filter(host__topic=topic).in_bulk()
    for host, key in keys.items():
        row = before.pop(key, None)
        if row is not None and not is_stale(row, counts[host]):
            continue
        look_at(host, crawls, counts[host], key).save(force_insert=row is None)
        if not goes_on():
            return False
    HostMakeUp.objects.filter(pk__in=[*before]).delete()
    return True


def is_stale(row: HostMakeUp, now: HostPageCounts) -> bool:
    """Whether the pages of a host are to be looked at again."""
    if row.counts == (now.pages, now.read, now.folded):
        return False
    if now.pages <= LARGE:
        return True
    pairs = ((row.pages, now.pages), (row.read, now.read), (row.folded, now.folded))
    return any(max(pair) >= max(1, min(pair)) * GROWTH for pair in pairs)


def look_at(host: str, crawls: Sequence[int], count: HostPageCounts, key: int) -> HostMakeUp:
    """The make-up of a host's pages that these crawls have, those of hidden pages left out."""
    words = main = 0
    vote = PatternVote()
    for chunk in _chunks(host, crawls):
        read = _main_words([pk for pk, _, _ in chunk])
        for pk, url, number in chunk:
            if pk in read:
                words += number
                main += min(read[pk], number)
            if host_of_canonical(url) == host:
                vote.add(pattern_of(url))
    same = _number_like(vote.pattern, host, crawls)
    is_most = 2 * same > count.pages
    row = HostMakeUp(
        host_id=key,
        pages=count.pages,
        read=count.read,
        folded=count.folded,
        template=1 - main / words if words else None,
        pattern=vote.pattern[:MOST_CHARACTERS] if is_most else "",
        pattern_share=min(1.0, same / count.pages) if is_most else 0.0,
    )
    row.repeats = (row.near_duplicates or 0.0) >= NEAR_DUPLICATE
    row.is_template = (row.template or 0.0) >= TEMPLATE
    row.is_numbered = row.pattern_share >= PATTERN and "#" in row.pattern
    return row


@dataclass(slots=True)
class PatternVote:
    """The pattern that more than half of the addresses have, if any does, without counting each
    (Boyer and Moore 1991)."""

    pattern: str = ""
    lead: int = 0

    def add(self, pattern: str) -> None:
        """Takes the pattern of one more address."""
        if self.lead == 0:
            self.pattern = pattern
        self.lead += 1 if pattern == self.pattern else -1


def pattern_of(url: str) -> str:
    """`/p/#.html` of `http://a.test/p/17.html`: each part with a digit is `#`."""
    path = "/" + url.partition("://")[2].partition("/")[2]
    return _PART.sub("#", path)


def _counts(crawls: Sequence[int]) -> dict[str, HostPageCounts]:
    rows = Entry.objects.filter(crawl__in=crawls).order_by().values_list("host")
    sums = rows.annotate(
        pages=Count("pk"), read=Count("pk", filter=~Q(language="")), folded=Count("fold")
    )
    return {host: HostPageCounts(*numbers) for host, *numbers in sums}


def _chunks(host: str, crawls: Sequence[int]) -> Iterator[list[tuple[int, str, int]]]:
    """Key, address and number of words of the host's pages. Each list is a query of its own, so
    that no cursor is open while the job writes that it is alive."""
    for crawl in crawls:
        rows = Page.objects.filter(crawl=crawl, host=host).order_by("pk")
        after = 0
        while chunk := list(
            rows.filter(pk__gt=after).values_list("pk", "final_url", "words")[:PAGES_AT_ONCE]
        ):
            yield chunk
            after = chunk[-1][0]


def _main_words(pages: Sequence[int]) -> dict[int, int]:
    """The words of the main texts of pages that have been read, by key."""
    read: dict[int, int] = {}
    for some in in_blocks(pages, TEXTS_AT_ONCE):
        rows = MainText.objects.filter(page_id__in=some)
        read.update(rows.values_list("page_id", "words"))
    return read


def _number_like(pattern: str, host: str, crawls: Sequence[int]) -> int:
    """How many of the host's addresses have the pattern."""
    urls = (url for chunk in _chunks(host, crawls) for _, url, _ in chunk)
    return sum(host_of_canonical(url) == host and pattern_of(url) == pattern for url in urls)
