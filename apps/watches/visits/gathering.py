"""Takes the pages of a topic's crawls under watch, and the sources of new links among them.

Each chunk of pages is one transaction with the count of what was taken, so a killed run goes on
where it stood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q

from apps.crawls.models import Crawl, FailedRequest, Label, Page
from apps.crawls.selectors import visible_crawls
from apps.engine.codes import Failure, State
from apps.engine.urls import host
from apps.watches.addresses import is_start_page, key_of, start_page
from apps.watches.models import Watch, WatchedPage, WatchVisit

CHUNK = 500
LEAST_OF_LIST = 3
"""Relevant pages to which a page has led, from which on it is a source of new ones."""
MOST_LISTS = 300
Kind = WatchedPage.AddressKind


def take_crawls(watch: Watch, heartbeat: Callable[[], bool] = lambda: True) -> None:
    """Takes up what the topic's crawls have got since the last time: relevant pages and those
    labelled yes are watched; start pages, lists, feeds and sitemaps become sources. Visits settle
    theirs themselves, unless they have failed."""
    crawls = visible_crawls(watch.owner).filter(topic=watch.topic_id, pages__gt=0)
    unsettled = Q(visit=None) | Q(visit__stage=WatchVisit.Stage.FAILED)
    for crawl in crawls.filter(unsettled).exclude(state=State.DRAFT).order_by("pk"):
        while heartbeat() and _take_chunk(watch, crawl):
            pass


def add_sources(watch: Watch, crawl: Crawl, pages: Sequence[Page]) -> None:
    """Makes sources of the lists of a crawl, and of pages by which relevant `pages` came."""
    _add(watch, (*_site_lists(crawl), *_lists(crawl, pages), *_start_pages(crawl, pages)))


def _take_chunk(watch: Watch, crawl: Crawl) -> bool:
    """Takes the next pages of a crawl; returns whether there were any."""
    before = watch.taken.get(str(crawl.pk), 0)
    pages = list(crawl.pages_fetched.filter(seq__gt=before).order_by("seq")[:CHUNK])
    if not pages:
        return False
    labels = _labels(crawl, pages)
    wanted = [page for page in pages if labels.get(page.seq, page.relevant)]
    rows = [_watched_row(watch, crawl, page) for page in wanted]
    with transaction.atomic():
        WatchedPage.objects.bulk_create(rows, ignore_conflicts=True)
        keys = [row.key for row in rows]
        watch.pages.filter(key__in=keys, is_watched=False).update(is_watched=True)
        add_sources(watch, crawl, wanted)
        watch.taken[str(crawl.pk)] = pages[-1].seq
        Watch.objects.filter(pk=watch.pk).update(taken=watch.taken)
    return True


def _labels(crawl: Crawl, pages: Sequence[Page]) -> Mapping[int, bool]:
    rows = Label.objects.filter(
        crawl=crawl, undone_at=None, seq__gte=pages[0].seq, seq__lte=pages[-1].seq
    )
    return dict(rows.values_list("seq", "relevant"))


def _watched_row(watch: Watch, crawl: Crawl, page: Page) -> WatchedPage:
    return WatchedPage(
        watch=watch,
        is_watched=True,
        first_seen_at=page.fetched_at,
        visited_at=page.fetched_at,
        **copy_of(crawl, page),
    )


def copy_of(crawl: Crawl, page: Page) -> dict[str, Any]:
    """The columns of a watched page that name its copy."""
    return {
        "key": key_of(page.url),
        "url": page.url,
        "final_url": page.final_url,
        "host": page.host,
        "title": page.title,
        "relevant": page.relevant,
        "crawl": crawl,
        "seq": page.seq,
        "body_digest": page.digest,
    }


def _site_lists(crawl: Crawl) -> list[tuple[str, str]]:
    rows = FailedRequest.objects.filter(crawl=crawl, kind=Failure.SITE_LIST)
    kinds = rows.values_list("url", "site_list__kind")
    return [(url, Kind.FEED if kind == "feed" else Kind.SITEMAP) for url, kind in kinds]


def _lists(crawl: Crawl, pages: Sequence[Page]) -> list[tuple[str, str]]:
    """The pages by which several relevant pages came."""
    parents = Counter(page.parent for page in pages if page.parent >= 0)
    numbers = [n for n, count in parents.most_common(MOST_LISTS) if count >= LEAST_OF_LIST]
    urls = crawl.pages_fetched.numbered(numbers).values_list("url", flat=True)
    return [(url, Kind.FRONT if is_start_page(url) else Kind.LIST) for url in urls]


def _start_pages(crawl: Crawl, pages: Sequence[Page]) -> list[tuple[str, str]]:
    """The start pages of the sites of relevant pages, as far as the crawl has had them."""
    addresses = {start_page(page.url) for page in pages}
    had = crawl.pages_fetched.filter(url__in=addresses).order_by()
    return [(url, Kind.FRONT) for url in had.values_list("url", flat=True)]


def _add(watch: Watch, sources: Iterable[tuple[str, str]]) -> None:
    by_key = {key_of(url): (url, kind) for url, kind in sources}
    had = watch.pages.filter(key__in=by_key)
    for key, kind in had.filter(is_source=False).values_list("key", "kind"):
        watch.pages.filter(key=key).update(is_source=True, kind=by_key[key][1] or kind)
    missing = by_key.keys() - set(had.values_list("key", flat=True))
    WatchedPage.objects.bulk_create(
        [
            WatchedPage(
                watch=watch,
                key=key,
                url=by_key[key][0],
                host=host(by_key[key][0]),
                kind=by_key[key][1],
                is_source=True,
                first_seen_at=watch.created_at,
            )
            for key in sorted(missing)
        ],
        ignore_conflicts=True,
    )
