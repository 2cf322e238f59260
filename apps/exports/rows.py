"""The pages of collections as plain rows, read a chunk at a time so that memory stays the same."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import QuerySet

from apps.crawls.models import Crawl, Page
from apps.topics.provenance import status_source

CHUNK = 1_000
IDS_AT_ONCE = 500

COLUMNS = (
    "page", "url", "final_url", "title", "host", "relevant", "votes", "probability",
    "topicality", "status", "status_source", "target", "seed", "depth", "priority", "parent_url",
    "http_status", "words", "fetched_at", "digest", "crawl",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choice:
    """Which pages are wanted (the relevant ones only, without the seeds, from a topicality on),
    and with what text."""

    relevant: bool = False
    without_seeds: bool = False
    text: bool = False
    at_least: float | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """What is exported: the chosen pages of crawls, or those that a search has found.

    `found` holds the keys of the pages of a search, which has filtered already; crawls carry their
    topic and web.
    """

    crawls: tuple[Crawl, ...]
    choice: Choice = Choice()
    found: array[int] | None = None

    @classmethod
    def of_crawl(cls, crawl: Crawl, choice: Choice = Choice()) -> Selection:
        """The chosen pages of one crawl."""
        return cls((crawl,), choice)

    def crawl_of(self, page: Page) -> Crawl:
        return next(crawl for crawl in self.crawls if crawl.pk == page.crawl_id)

    def chunks(self, size: int = CHUNK) -> Iterator[list[Page]]:
        """The pages in lists of up to `size`, by crawl and page number, one crawl a list."""
        if self.found is not None:
            yield from _found_chunks(self.found, min(size, IDS_AT_ONCE))
            return
        for crawl in self.crawls:
            yield from chunks(chosen_pages(crawl, self.choice), size)


def _found_chunks(numbers: array[int], size: int) -> Iterator[list[Page]]:
    """A page that has been deleted since it was found is left out."""
    for start in range(0, len(numbers), size):
        wanted = Page.objects.filter(pk__in=numbers[start : start + size].tolist())
        ordered = wanted.order_by("crawl_id", "seq")
        for _, pages in groupby(ordered, key=lambda page: page.crawl_id):
            yield list(pages)


def chosen_pages(crawl: Crawl, choice: Choice) -> QuerySet[Page]:
    """The wanted pages of a crawl in the order they were fetched."""
    pages = Page.objects.filter(crawl=crawl).order_by("seq")
    if choice.relevant:
        pages = pages.filter(relevant=True)
    if choice.without_seeds:
        pages = pages.filter(seed=False)
    if choice.at_least is not None:
        pages = pages.filter(topicality__gte=choice.at_least)
    return pages


def chunks(pages: QuerySet[Page], size: int = CHUNK) -> Iterator[list[Page]]:
    """The pages in lists of `size`, each read by itself: no cursor stays open over a slow
    download, and pages that a running crawl adds meanwhile come too."""
    after = 0
    while chunk := list(pages.filter(seq__gt=after)[:size]):
        yield chunk
        after = chunk[-1].seq


def rows(selection: Selection) -> Iterator[tuple[Page, dict[str, Any]]]:
    """Each page with its values by `COLUMNS`; None where unknown.

    `page` is the page number from 1, `votes` is `2/3`, `fetched_at` ISO 8601 in UTC, `parent_url`
    the page whose link gave the priority (None for seeds), `crawl` the crawl's number.
    `status_source` says which in-link counts the status was learnt from.
    """
    for chunk in selection.chunks():
        parents = _parent_urls(chunk)
        source = status_source(selection.crawl_of(chunk[0]).sources)
        for page in chunk:
            known = source if page.status is not None and source else None
            yield page, {**_row(page, parents), "status_source": known}


def _parent_urls(chunk: Sequence[Page]) -> dict[int, str]:
    """By number the addresses of the parents of one crawl's pages."""
    numbers = {page.parent for page in chunk if page.parent >= 0}
    pages = Page.objects.filter(crawl=chunk[0].crawl_id, number__in=numbers)
    return dict(pages.values_list("number", "url"))


def _row(page: Page, parents: dict[int, str]) -> dict[str, Any]:
    values = {name: getattr(page, name, None) for name in COLUMNS if name != "crawl"}
    return values | {
        "page": page.seq,
        "votes": None if page.votes is None else f"{page.votes}/{page.votes_of}",
        "parent_url": parents.get(page.parent),
        "fetched_at": page.fetched_at.isoformat(timespec="milliseconds"),
        "crawl": page.crawl_id,
    }
