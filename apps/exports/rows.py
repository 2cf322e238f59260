"""The pages of collections as plain rows, read in chunks so that memory use stays constant."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from django.db.models import QuerySet

from apps.collection.indexing.reading import main_texts
from apps.collection.models import Entry, MainText
from apps.crawls.models import Crawl, Page
from apps.crawls.opt_outs.selectors import SiteReservations
from apps.crawls.pages.bodies import Bodies, OpenBodies
from apps.engine.digests import digest
from apps.engine.networking.webs.virtual_web import Web
from apps.engine.parsing.text import decode
from apps.exports.columns import OF_TEXT, RowColumn
from apps.exports.labels import NO_LABELS, LabelColumns, SeenLabels
from apps.exports.why import why
from apps.main_text.fast import FastPage
from apps.topics.inputs.inlinks import status_source
from apps.topics.models import Example
from apps.webs.opening import open_web

CHUNK = 1_000
TEXTS_AT_ONCE = 100
IDS_AT_ONCE = 500

TEXT_START = 300


@dataclass(frozen=True, slots=True)
class Selection:
    """The pages to export: all pages of crawls, or those with `keys`, as a search matched them.

    `columns` are the columns in their order, the format's default ones if empty; crawls come with
    their topic and web. `labels` are the columns of people's labels, `nearness` is the similarity
    of each page, by key, of a search for near ones. `report` is called with the number of pages
    that have just been used.
    """

    crawls: tuple[Crawl, ...]
    columns: tuple[str, ...] = ()
    keys: array[int] | None = None
    labels: LabelColumns = NO_LABELS
    nearness: Mapping[int, float] | None = None
    report: Callable[[int], object] = lambda pages: None

    @classmethod
    def of_crawl(cls, crawl: Crawl, *columns: str) -> Selection:
        """All pages of one crawl."""
        return cls((crawl,), columns)

    def crawl_of(self, page: Page) -> Crawl:
        return next(crawl for crawl in self.crawls if crawl.pk == page.crawl_id)

    def chunks(self, size: int = CHUNK) -> Iterator[list[Page]]:
        """The pages in lists of up to `size`, by crawl and page number, one crawl a list."""
        for chunk in self._chunks(size):
            yield chunk
            self.report(len(chunk))

    def _chunks(self, size: int) -> Iterator[list[Page]]:
        if self.keys is not None:
            yield from _chunks_of(self.keys, min(size, IDS_AT_ONCE))
            return
        for crawl in self.crawls:
            yield from chunks(Page.objects.filter(crawl=crawl).order_by("seq"), size)

    def facts(
        self, crawl: Crawl, pages: Sequence[Page], bodies: Bodies, has_text: bool
    ) -> PageFacts:
        """What other tables have of these pages of a crawl."""
        return PageFacts.of(crawl, self, pages, bodies, has_text)


def _chunks_of(numbers: array[int], size: int) -> Iterator[list[Page]]:
    """The pages with these keys that have not been deleted since."""
    for start in range(0, len(numbers), size):
        wanted = Page.objects.filter(pk__in=numbers[start : start + size].tolist())
        ordered = wanted.order_by("crawl_id", "seq")
        for _, pages in groupby(ordered, key=lambda page: page.crawl_id):
            yield list(pages)


def chunks(pages: QuerySet[Page], size: int = CHUNK) -> Iterator[list[Page]]:
    """The pages in lists of `size`.

    Each list is a separate query: no cursor stays open during a slow download, and pages that a
    running crawl adds meanwhile are included.
    """
    after = 0
    while chunk := list(pages.filter(seq__gt=after)[:size]):
        yield chunk
        after = chunk[-1].seq


def rows(selection: Selection, columns: Sequence[RowColumn]) -> Iterator[dict[str, Any]]:
    """The values of each page by the names of the columns; unknown values are None.

    Moments are datetimes in UTC. Raises BadWebFile if the stored copy of a page is needed and gone.
    """
    names = [column.name for column in columns]
    with OpenBodies() as opened:
        has_text = bool(OF_TEXT & {*names})
        for chunk in selection.chunks(TEXTS_AT_ONCE if has_text else CHUNK):
            crawl = selection.crawl_of(chunk[0])
            facts = selection.facts(crawl, chunk, opened.of(crawl), has_text)
            for page in chunk:
                yield {name: _value(name, page, facts) for name in names}


@dataclass(frozen=True, slots=True)
class PageFacts:
    """Facts about one crawl's pages from other tables.

    `parents` are URLs by number, `labels` the counting labels by URL, `fetched_by` the crawls by
    the digest of a URL. `bodies` reads the stored copies. `texts` are the main texts by page key,
    `reservations` the opt-outs in files of the sites, `seen` the labels of people, `nearness` the
    similarities by page key, `captured` the moments of capture that have been read.
    """

    crawl: Crawl
    parents: Mapping[int, str]
    labels: Mapping[str, bool]
    fetched_by: Mapping[int, Sequence[int]]
    web: Web | None
    status_source: str | None
    bodies: Bodies
    texts: Mapping[int, MainText]
    reservations: SiteReservations
    seen: SeenLabels
    nearness: Mapping[int, float]
    captured: dict[int, float | None] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        crawl: Crawl,
        selection: Selection,
        pages: Sequence[Page],
        bodies: Bodies,
        has_text: bool,
    ) -> PageFacts:
        labelled = crawl.topic.web_label and crawl.web.is_recorded
        return cls(
            crawl,
            _parent_urls(pages),
            _labels(crawl),
            fetched_by(selection, pages),
            open_web(crawl.web) if labelled else None,
            status_source(crawl.inputs) or None,
            bodies,
            main_texts([page.pk for page in pages], with_blocks=has_text),
            SiteReservations(crawl.topic_id, [page.host for page in pages]),
            selection.labels.read(pages),
            selection.nearness or {},
        )

    def read(self, page: Page, name: str) -> Any:
        """A part of what was read of a page; None if it has none or was not read yet."""
        text = self.texts.get(page.pk)
        return (getattr(text, name) or None) if text else None

    def label(self, page: Page) -> bool | None:
        """The label that counts, unless it is hidden from the reader."""
        if page.pk in self.seen.hidden:
            return None
        return self.labels.get(page.final_url, self.labels.get(page.url))

    def true_label(self, page: Page) -> bool | None:
        if self.web is None:
            return None
        return self.crawl.topic.web_label in self.web.labels(page.final_url)

    def captured_at(self, page: Page) -> datetime | None:
        """When the page was copied from the Web, which may be years before a recorded web was
        crawled; None if the web does not know."""
        if self.crawl.source.keeps_pages:
            return page.fetched_at
        if page.pk not in self.captured:
            self.captured[page.pk] = self.bodies.captured_at(page)
        seconds = self.captured[page.pk]
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)

    def text(self, page: Page) -> str:
        """The main text as written; of a page that was not read yet, what the fast extraction
        takes. Raises BadWebFile if the stored copy of such a page is gone."""
        if (text := self.texts.get(page.pk)) is not None:
            return text.text
        answer = self.bodies.answer(page).as_page()
        return FastPage(decode(answer.body, answer.header("content-type"))[0]).text


def _labels(crawl: Crawl) -> dict[str, bool]:
    """Analysts' labels of the topic's pages, by each address of a page."""
    labelled = crawl.topic.examples.filter(source=Example.Source.LABEL)
    return {
        url: relevant
        for *urls, relevant in labelled.values_list("url", "final_url", "relevant")
        for url in urls
        if url
    }


def crawls_of(page: Page, fetched_by: Mapping[int, Sequence[int]]) -> str:
    """`3;7`: the numbers of the crawls that have the page, in order."""
    numbers = fetched_by.get(digest(page.final_url), ())
    return ";".join(map(str, sorted({page.crawl_id, *numbers})))


def fetched_by(selection: Selection, pages: Sequence[Page]) -> dict[int, list[int]]:
    """The crawls that have an address, by its digest, for a search over several crawls."""
    fetched_by: dict[int, list[int]] = {}
    if len(selection.crawls) > 1:
        # The topics lead to the index of addresses: without them every entry is read.
        entries = Entry.objects.filter(
            topic__in={crawl.topic_id for crawl in selection.crawls},
            crawl__in=[crawl.pk for crawl in selection.crawls],
            address__in={digest(page.final_url) for page in pages},
        )
        for address, crawl in entries.order_by().values_list("address", "crawl_id"):
            fetched_by.setdefault(address, []).append(crawl)
    return fetched_by


def _parent_urls(chunk: Sequence[Page]) -> dict[int, str]:
    """The URLs of the parents of one crawl's pages, by number."""
    numbers = {page.parent for page in chunk if page.parent >= 0}
    pages = Page.objects.filter(crawl=chunk[0].crawl_id).numbered(numbers)
    return dict(pages.values_list("number", "url"))


# The columns that are not columns of the page's own row.
VALUES: Mapping[str, Callable[[Page, PageFacts], Any]] = {
    "page": lambda page, facts: page.seq,
    "title": lambda page, facts: facts.read(page, "title") or page.title,
    "similarity": lambda page, facts: facts.nearness.get(page.pk),
    "author": lambda page, facts: facts.read(page, "author"),
    "language": lambda page, facts: facts.read(page, "language"),
    "published": lambda page, facts: facts.read(page, "published"),
    "published_precision": lambda page, facts: facts.read(page, "published_precision"),
    "published_source": lambda page, facts: facts.read(page, "published_source"),
    "reserved": lambda page, facts: facts.read(page, "reserved"),
    "site_reserved": lambda page, facts: facts.reservations.text(page.host, page.final_url) or None,
    "votes_for": lambda page, facts: page.votes,
    "topicality_at_end": lambda page, facts: page.latest_topicality,
    "votes": lambda page, facts: page.votes_of,
    "label": lambda page, facts: facts.label(page),
    "why": lambda page, facts: why(page, facts.parents.get(page.parent), facts.label(page)),
    "status_source": lambda page, facts: None if page.status is None else facts.status_source,
    "true_label": lambda page, facts: facts.true_label(page),
    "parent_url": lambda page, facts: facts.parents.get(page.parent),
    "captured_at": lambda page, facts: facts.captured_at(page),
    "crawl": lambda page, facts: page.crawl_id,
    "crawls": lambda page, facts: crawls_of(page, facts.fetched_by),
    "strategy": lambda page, facts: facts.crawl.strategy,
    "text_start": lambda page, facts: facts.text(page)[:TEXT_START],
    "text": lambda page, facts: facts.text(page),
}


def _value(name: str, page: Page, facts: PageFacts) -> Any:
    if name in facts.seen.people:
        return facts.seen.by(name, page)
    return VALUES[name](page, facts) if name in VALUES else getattr(page, name)
