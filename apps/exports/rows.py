"""The pages of collections as plain rows, read in chunks so that memory use stays constant."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import QuerySet

from apps.collection.models import Entry
from apps.collection.resemblance import digest
from apps.crawls.models import Crawl, Page
from apps.engine.networking.virtual_web import Web
from apps.topics.inputs.inlinks import status_source
from apps.topics.models import Example
from apps.webs.opening import open_web

CHUNK = 1_000
IDS_AT_ONCE = 500

COLUMNS = (
    "page", "url", "final_url", "title", "host", "relevant", "votes", "probability",
    "topicality", "status", "status_source", "target", "seed", "label", "true_label", "depth",
    "priority", "parent_url", "http_status", "words", "fetched_at", "digest", "crawl", "crawls",
    "strategy",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choice:
    """Which pages to export (relevant ones only, without the seeds, from a topicality on), and
    whether with text."""

    relevant: bool = False
    without_seeds: bool = False
    text: bool = False
    at_least: float | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """What is exported: the chosen pages of crawls, or the results of a search.

    `found` holds the keys of the pages that a search found, already filtered; crawls come with
    their topic and web.
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
    """The pages found, without those deleted since."""
    for start in range(0, len(numbers), size):
        wanted = Page.objects.filter(pk__in=numbers[start : start + size].tolist())
        ordered = wanted.order_by("crawl_id", "seq")
        for _, pages in groupby(ordered, key=lambda page: page.crawl_id):
            yield list(pages)


def chosen_pages(crawl: Crawl, choice: Choice) -> QuerySet[Page]:
    """The chosen pages of a crawl in the order they were fetched."""
    pages = Page.objects.filter(crawl=crawl).order_by("seq")
    if choice.relevant:
        pages = pages.filter(relevant=True)
    if choice.without_seeds:
        pages = pages.filter(seed=False)
    if choice.at_least is not None:
        pages = pages.filter(topicality__gte=choice.at_least)
    return pages


def chunks(pages: QuerySet[Page], size: int = CHUNK) -> Iterator[list[Page]]:
    """The pages in lists of `size`.

    Each list is a separate query: no cursor stays open during a slow download, and pages that a
    running crawl adds meanwhile are included.
    """
    after = 0
    while chunk := list(pages.filter(seq__gt=after)[:size]):
        yield chunk
        after = chunk[-1].seq


def rows(selection: Selection) -> Iterator[tuple[Page, dict[str, Any]]]:
    """Each page with its values by `COLUMNS`; unknown values are None.

    `page` is the page number from 1, `votes` is `2/3`, `fetched_at` ISO 8601 in UTC, `parent_url`
    the page whose link gave the priority (None for seeds), `crawl` the crawl's number, `crawls` the
    numbers of all exported crawls that fetched the address, `strategy` the crawl's strategy.
    `status_source` says which in-link counts the status was learned from, `label` how an analyst
    labelled the address, `true_label` whether the recorded web labels it with the topic.
    """
    for chunk in selection.chunks():
        crawl = selection.crawl_of(chunk[0])
        known = PageFacts.of(crawl, selection, chunk)
        for page in chunk:
            yield page, {
                **_row(page, known.parents), "label": known.label(page),
                "true_label": known.true_label(page), "crawls": known.crawls(page),
                "status_source": known.status_source if page.status is not None else None,
                "strategy": crawl.strategy,
            }


@dataclass(frozen=True, slots=True)
class PageFacts:
    """Facts about one crawl's pages from other tables: `parents` are URLs by number, `labels` by
    URL, `fetched_by` the crawls by the digest of a URL."""

    crawl: Crawl
    parents: Mapping[int, str]
    labels: Mapping[str, bool]
    fetched_by: Mapping[int, Sequence[int]]
    web: Web | None
    status_source: str | None

    @classmethod
    def of(cls, crawl: Crawl, selection: Selection, pages: Sequence[Page]) -> PageFacts:
        labelled = crawl.topic.web_label and crawl.web.is_recorded
        return cls(
            crawl, _parent_urls(pages), _labels(crawl), fetched_by(selection, pages),
            open_web(crawl.web) if labelled else None, status_source(crawl.inputs) or None,
        )

    def label(self, page: Page) -> bool | None:
        return self.labels.get(page.final_url, self.labels.get(page.url))

    def true_label(self, page: Page) -> bool | None:
        if self.web is None:
            return None
        return self.crawl.topic.web_label in self.web.labels(page.final_url)

    def crawls(self, page: Page) -> str:
        return crawls_of(page, self.fetched_by)


def _labels(crawl: Crawl) -> dict[str, bool]:
    """Analysts' labels of the topic's pages, by each address of a page."""
    said = crawl.topic.examples.filter(source=Example.Source.LABEL)
    return {
        url: relevant
        for *urls, relevant in said.values_list("url", "final_url", "relevant")
        for url in urls
        if url
    }


def crawls_of(page: Page, fetched_by: Mapping[int, Sequence[int]]) -> str:
    """`3;7`: the numbers of the crawls that have the page, in order."""
    numbers = fetched_by.get(digest(page.final_url), ())
    return ";".join(map(str, sorted({page.crawl_id, *numbers})))


def fetched_by(selection: Selection, pages: Sequence[Page]) -> dict[int, list[int]]:
    """The crawls that have an address, by its digest, for a search over several crawls."""
    found: dict[int, list[int]] = {}
    if len(selection.crawls) > 1:
        entries = Entry.objects.filter(
            crawl__in=[crawl.pk for crawl in selection.crawls],
            address__in={digest(page.final_url) for page in pages},
        )
        for address, crawl in entries.values_list("address", "crawl_id"):
            found.setdefault(address, []).append(crawl)
    return found


def _parent_urls(chunk: Sequence[Page]) -> dict[int, str]:
    """The URLs of the parents of one crawl's pages, by number."""
    numbers = {page.parent for page in chunk if page.parent >= 0}
    pages = Page.objects.filter(crawl=chunk[0].crawl_id).numbered(numbers)
    return dict(pages.values_list("number", "url"))


def _row(page: Page, parents: dict[int, str]) -> dict[str, Any]:
    foreign = ("crawl", "crawls")
    values = {name: None if name in foreign else getattr(page, name, None) for name in COLUMNS}
    return values | {
        "page": page.seq,
        "votes": None if page.votes is None else f"{page.votes}/{page.votes_of}",
        "parent_url": parents.get(page.parent),
        "fetched_at": page.fetched_at.isoformat(timespec="milliseconds"),
        "crawl": page.crawl_id,
    }
