"""Reads a crawl's stored pages again, for learning from labels."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

from apps.crawls.models import Crawl, KeptText, Label, Page
from apps.crawls.pages.bodies import Bodies
from apps.engine.crawl.relearning.library import FetchedPage, PackedPage
from apps.engine.parsing.main_text import parse_judged
from apps.engine.topics import Example

CHUNK = 100

Rows = Callable[..., Awaitable[Any]]


class CrawlLibrary:
    """The stored pages of one crawl; `rows` runs database work in the runner's thread for it."""

    def __init__(self, crawl: Crawl, bodies: Bodies, rows: Rows) -> None:
        self._crawl = crawl
        self._bodies = bodies
        self._rows = rows

    async def labelled_examples(self, labels: Sequence[int]) -> tuple[Example, ...]:
        """The pages of these labels as examples, in their order. Raises BadWebFile."""
        pairs = await self._rows(_pages_of, self._crawl.pk, list(labels))
        examples = []
        for page, relevant in pairs:
            answer = self._bodies.answer(page)
            document = await asyncio.to_thread(parse_judged, answer, self._crawl.judges_main_text)
            examples.append(Example(page.final_url, document, relevant))
        return tuple(examples)

    async def packed_pages(self, numbers: Sequence[int]) -> list[PackedPage]:
        """The pages with these URL numbers that have packed link contexts."""
        texts: list[PackedPage] = await self._rows(_texts_by_number, self._crawl.pk, list(numbers))
        return texts

    async def pages(self, numbers: Sequence[int]) -> AsyncIterator[FetchedPage]:
        """The pages of these URL numbers, in their order. Raises BadWebFile."""
        for start in range(0, len(numbers), CHUNK):
            chunk = list(numbers[start : start + CHUNK])
            pages = await self._rows(_pages_by_number, self._crawl.pk, chunk)
            for number in chunk:
                page = pages[number]
                yield FetchedPage(number, page.seq, self._bodies.answer(page))


def _pages_of(crawl_id: int, labels: list[int]) -> list[tuple[Page, bool]]:
    rows = {label.pk: label for label in Label.objects.filter(crawl=crawl_id, pk__in=labels)}
    seqs = [rows[pk].seq for pk in labels]
    pages = {page.seq: page for page in Page.every.filter(crawl=crawl_id, seq__in=seqs)}
    return [(pages[rows[pk].seq], rows[pk].relevant) for pk in labels]


def _pages_by_number(crawl_id: int, numbers: list[int]) -> dict[int, Page]:
    pages = Page.every.filter(crawl=crawl_id).numbered(numbers)
    return {page.number: page for page in pages}


def _texts_by_number(crawl_id: int, numbers: list[int]) -> list[PackedPage]:
    pages = Page.every.filter(crawl=crawl_id).numbered(numbers)
    pages_by_seq = {
        seq: (number, url) for seq, number, url in pages.values_list("seq", "number", "final_url")
    }
    texts = KeptText.objects.filter(crawl=crawl_id, seq__in=pages_by_seq).values_list("seq", "text")
    return [
        PackedPage(pages_by_seq[seq][0], seq, pages_by_seq[seq][1], zlib.decompress(text))
        for seq, text in texts
    ]
