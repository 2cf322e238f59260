"""Reads a made web's pages again, and labels them as the web does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.relearning.library import FetchedPage, PackedPage
from apps.engine.crawl.retraining import apply_lesson, prepare_lesson
from apps.engine.events import EventRecord, PageRecord
from apps.engine.networking.webs.virtual_web import read
from apps.engine.parsing.document import parse
from apps.engine.topics import Example
from tests.made_web import MadeWeb


class MadeLibrary:
    """`pages` are the crawl's page records; label n is about page n, and true unless in `wrong`."""

    def __init__(self, web: MadeWeb, pages: Sequence[PageRecord]) -> None:
        self.web = web
        self.fetched = pages
        self.read = 0

    async def labelled_examples(self, labels: Sequence[int]) -> tuple[Example, ...]:
        by_seq = {page.seq: page.answer.final_url for page in self.fetched}
        return tuple(self._example(by_seq[label]) for label in labels)

    def _example(self, url: str) -> Example:
        return Example(url, parse(read(self.web, url)), "bread" in self.web.labels(url))

    async def packed_pages(self, numbers: Sequence[int]) -> list[PackedPage]:
        wanted = set(numbers)
        packed = [
            PackedPage(page.number, page.seq, page.answer.final_url, page.contexts)
            for page in self.fetched
            if page.number in wanted and page.contexts
        ]
        self.read += len(packed)
        return packed

    async def pages(self, numbers: Sequence[int]) -> AsyncIterator[FetchedPage]:
        by_number = {page.number: page for page in self.fetched}
        for number in numbers:
            page = by_number[number]
            self.read += 1
            yield FetchedPage(number, page.seq, read(self.web, page.answer.final_url))


async def teach(crawl: CrawlLoop, labels: Sequence[int]) -> EventRecord:
    """The labels take effect now."""
    return await apply_lesson(crawl, await prepare_lesson(crawl, labels), {"by": 1})
