"""What the sources of a visit have yielded: which of them showed its new relevant pages first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.db import transaction
from django.db.models import Q

from apps.crawls.models import Crawl
from apps.crawls.packing import unpack_numbers
from apps.engine.codes import Failure
from apps.engine.urls import canonical
from apps.watches.models import WatchedPage, WatchVisit
from apps.watches.visits.planning import days_between


def credit_sources(visit: WatchVisit, crawl: Crawl) -> None:
    """Adds to each source that was visited the new relevant pages that it showed before any other,
    and the days since it was visited last. The second time for a visit it does nothing."""
    waits = Q(credited_at=None) | Q(credited_at__lt=visit.began_at)
    rows = visit.watch.pages.filter(waits, is_source=True, state_visit=visit)
    sources = {page.url: page for page in rows}
    new = _new_urls(visit)
    with transaction.atomic():
        for url, shown in _order_sightings(crawl, sources, new):
            sources[url].yields += len(shown & new)
            new -= shown
        for page in sources.values():
            since = page.credited_at or page.first_seen_at
            page.asked_days += days_between(since, visit.began_at)
            page.credited_at = visit.began_at
            page.save(update_fields=["yields", "asked_days", "credited_at"])


def _new_urls(visit: WatchVisit) -> set[str]:
    """The pages that this visit was the first to see."""
    rows = visit.watch.pages.filter(first_visit=visit, is_watched=True)
    return set(rows.values_list("url", flat=True))


def _order_sightings(
    crawl: Crawl, sources: Mapping[str, WatchedPage], new: set[str]
) -> Iterator[tuple[str, set[str]]]:
    """The sources in the order in which they were asked, with the addresses that each shows."""
    showed = [*_read_lists(crawl), *_read_links(crawl, list(sources), new)]
    for _, url, shown in sorted(showed, key=lambda each: each[0]):
        if url in sources:
            yield url, shown


def _read_lists(crawl: Crawl) -> Iterator[tuple[int, str, set[str]]]:
    """For each sitemap or feed: its request, its address, and its new entries."""
    rows = crawl.failed_requests.filter(kind=Failure.SITE_LIST, site_list__isnull=False)
    for row in rows:
        entries = row.site_list["pages"] if row.site_list else ()
        yield row.request, row.url, {canonical(entry[0]) or "" for entry in entries}


def _read_links(
    crawl: Crawl, urls: list[str], new: set[str]
) -> Iterator[tuple[int, str, set[str]]]:
    """For each page: its request, its address, and the new addresses that it links to."""
    entries = crawl.frontier.filter(number__in=_numbers(crawl, new))
    by_number = dict(entries.values_list("number", "url"))
    pages = crawl.pages_fetched.filter(url__in=urls)
    asked = {
        seq: (request, url) for seq, request, url in pages.values_list("seq", "request", "url")
    }
    for row in crawl.outlinks.filter(seq__in=asked):
        targets = unpack_numbers(row.targets).tolist()
        yield *asked[row.seq], {by_number[number] for number in targets if number in by_number}


def _numbers(crawl: Crawl, urls: set[str]) -> list[int]:
    return list(crawl.pages_fetched.filter(url__in=urls).values_list("number", flat=True))
