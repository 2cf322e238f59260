"""A crawl's pages read again from where its rows say they are, for labels."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from apps.crawls.models import Crawl, KeptText, Label, Page
from apps.engine.crawl.library import KeptPage, ReadAgain
from apps.engine.errors import BadWebFile
from apps.engine.model import Answer, Example
from apps.engine.networking.fetcher import Fetcher
from apps.engine.networking.page_store import PageStore, Record
from apps.engine.parsing.document import parse

CHUNK = 100

Rows = Callable[..., Awaitable[Any]]


class CrawlLibrary:
    """Those of one crawl; `rows` runs database work in the runner's thread for it."""

    def __init__(self, crawl: Crawl, store: PageStore, fetcher: Fetcher, rows: Rows) -> None:
        self._crawl = crawl
        self._store = store
        self._fetcher = fetcher
        self._rows = rows

    async def labelled(self, labels: Sequence[int]) -> tuple[Example, ...]:
        """The pages of these labels as examples, in their order. Raises BadWebFile."""
        pairs = await self._rows(_pages_of, self._crawl.pk, list(labels))
        examples = []
        for page, relevant in pairs:
            answer = await self._answer(page)
            document = await asyncio.to_thread(parse, answer)
            examples.append(Example(page.final_url, document, relevant))
        return tuple(examples)

    async def texts(self, numbers: Sequence[int]) -> list[KeptPage]:
        """Those of these URL numbers' pages whose text was kept."""
        found: list[KeptPage] = await self._rows(_texts_by_number, self._crawl.pk, list(numbers))
        return found

    async def pages(self, numbers: Sequence[int]) -> AsyncIterator[ReadAgain]:
        """The pages of these URL numbers, in their order. Raises BadWebFile."""
        for start in range(0, len(numbers), CHUNK):
            chunk = list(numbers[start : start + CHUNK])
            found = await self._rows(_pages_by_number, self._crawl.pk, chunk)
            for number in chunk:
                page = found[number]
                yield ReadAgain(number, page.seq, await self._answer(page))

    async def _answer(self, page: Page) -> Answer:
        """As it came; on a recorded web its final address is asked, for redirects are known."""
        if page.file:
            return self._store.read(Record(page.file, page.offset, page.length, page.digest))
        answer = await self._fetcher.fetch(page.final_url)
        if answer.failure:
            raise BadWebFile(f"{page.final_url} is not in the recorded web any more")
        return replace(answer, url=page.url)


def _pages_of(crawl_id: int, labels: list[int]) -> list[tuple[Page, bool]]:
    said = {label.pk: label for label in Label.objects.filter(crawl=crawl_id, pk__in=labels)}
    seqs = [said[pk].seq for pk in labels]
    pages = {page.seq: page for page in Page.objects.filter(crawl=crawl_id, seq__in=seqs)}
    return [(pages[said[pk].seq], said[pk].relevant) for pk in labels]


def _pages_by_number(crawl_id: int, numbers: list[int]) -> dict[int, Page]:
    found = Page.objects.filter(crawl=crawl_id, number__in=numbers)
    return {page.number: page for page in found}


def _texts_by_number(crawl_id: int, numbers: list[int]) -> list[KeptPage]:
    pages = Page.objects.filter(crawl=crawl_id, number__in=numbers)
    known = {seq: rest for seq, *rest in pages.values_list("seq", "number", "final_url")}
    texts = KeptText.objects.filter(crawl=crawl_id, seq__in=known).values_list("seq", "text")
    return [
        KeptPage(known[seq][0], seq, known[seq][1], zlib.decompress(text)) for seq, text in texts
    ]
