"""Scores all links of a crawl with a lesson's models, most of them while the crawl goes on.

Pages with packed contexts are scored in another thread without being parsed again. When the lesson
takes effect, only the pages fetched since and those that must be parsed are left.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from apps.engine.crawl.page_reader import PageReader
from apps.engine.crawl.relearning.library import Library, PackedPage
from apps.engine.errors import ReplayDiverged
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.rescoring import LinkScores
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.strategies.relearns import Relearns
from apps.engine.model import Floats, Visit
from apps.engine.representation.link_contexts import without_contexts

CHUNK = 250
FEW = 100


@dataclass(frozen=True, slots=True)
class Rated:
    """New `scores` of a page's links (nan: rejected). If scores change with the crawl, the judged
    page without its text instead, and what the strategy has read there."""

    scores: Floats | None
    visit: Visit | None
    read: Any = None


class Ratings:
    """The pages rated so far, by URL number. `reader` and `strategy` use the new models."""

    def __init__(self, reader: PageReader, strategy: Relearns) -> None:
        self.strategy = strategy
        self._reader = reader
        self._rated: dict[int, Rated] = {}

    @property
    def by_text(self) -> bool:
        """Whether packed contexts are enough, so that no page is parsed again."""
        learns = self.strategy.scores == "links" or self.strategy.learns_from_pages
        return learns and self.strategy.reads != "page"

    async def rate_ahead(self, library: Library, frontier: Frontier, few: int) -> None:
        """Rates the fetched pages until at most `few` are left."""
        if not self.by_text:
            return
        tried: set[int] = set()
        while len(left := [n for n in self._pages_wanted(frontier) if n not in tried]) > few:
            tried.update(left)
            await self._rate_texts(library, left)

    async def rate_rest(self, library: Library, frontier: Frontier) -> tuple[LinkScores, int]:
        """Returns the new scores of all waiting links and the number of pages they are on.

        Raises BadWebFile if a page is gone, ReplayDiverged if its links have changed.
        """
        links = _Links(frontier)
        wanted = self._pages_wanted(frontier)
        if self.by_text:
            await self._rate_texts(library, self._unrated(wanted))
        for number in wanted:
            if number in self._rated:
                links.write(number, self._scores_now(number))
        async for page in library.pages(self._unrated(wanted)):
            again = self._reader.reread(page.answer, page.number, frontier, page.seq)
            links.write(page.number, _scores(self.strategy, self.strategy.relearn(again)))
            await asyncio.sleep(0)
        return links.waiting(), len(wanted)

    async def relearn_pages(self, library: Library, frontier: Frontier) -> int:
        """Makes a strategy that scores URLs learn all fetched pages again; returns their number.

        Raises like `rate_rest`.
        """
        links = _Links(frontier)
        wanted = self._pages_wanted(frontier)
        if self.by_text:
            await self._rate_texts(library, self._unrated(wanted))
        self.strategy.forget_pages()
        for number in wanted:
            if (rated := self._rated.get(number)) is not None and rated.visit is not None:
                self.strategy.relearn_page(links.numbered(rated.visit), rated.read)
        async for page in library.pages(self._unrated(wanted)):
            again = self._reader.reread(page.answer, page.number, frontier, page.seq)
            self.strategy.relearn_page(links.numbered(again), self.strategy.read_again(again))
            await asyncio.sleep(0)
        return len(wanted)

    def _pages_wanted(self, frontier: Frontier) -> list[int]:
        """The pages with waiting links, or all pages if the strategy learns from every page's τ."""
        if self.strategy.learns_from_pages:
            wanted = frontier.fetched_numbers()
        else:
            _, pages = frontier.edges(frontier.scorable_numbers())
            wanted = np.flatnonzero(np.bincount(pages))
        numbers: list[int] = wanted.tolist()
        return numbers

    def _unrated(self, wanted: Sequence[int]) -> list[int]:
        return [number for number in wanted if number not in self._rated]

    async def _rate_texts(self, library: Library, numbers: Sequence[int]) -> None:
        for start in range(0, len(numbers), CHUNK):
            pages = await library.packed_pages(numbers[start : start + CHUNK])
            self._rated |= await asyncio.to_thread(self._rate, pages)

    def _rate(self, pages: Sequence[PackedPage]) -> Mapping[int, Rated]:
        return {page.number: self._rate_one(page) for page in pages}

    def _rate_one(self, page: PackedPage) -> Rated:
        visit = self._reader.unpack(page.contexts, page.number, page.url, page.seq)
        if self.strategy.scores == "urls":
            return Rated(None, without_contexts(visit), self.strategy.read_again(visit))
        if self.strategy.scores_move:
            return Rated(None, without_contexts(visit))
        return Rated(_scores(self.strategy, visit), None)

    def _scores_now(self, number: int) -> Floats:
        rated = self._rated[number]
        if rated.visit is None:
            assert rated.scores is not None
            return rated.scores
        return _scores(self.strategy, self.strategy.relearn(rated.visit))


def _scores(strategy: Strategy, visit: Visit) -> Floats:
    return np.asarray(strategy.score_links(visit), np.float64)


class _Links:
    """All links of a crawl in order of discovery, with their new scores."""

    def __init__(self, frontier: Frontier) -> None:
        self._numbers = frontier.scorable_numbers()
        self._targets, self._pages = frontier.edges(np.arange(len(frontier)))
        self._scores = np.full(len(self._targets), np.nan)
        # The links of one page are discovered together, so they are adjacent.
        start = np.flatnonzero(np.diff(self._pages, prepend=-1))
        spans = map(slice, start.tolist(), [*start[1:].tolist(), len(self._pages)])
        self._slices = dict(zip(self._pages[start].tolist(), spans, strict=True))
        self._size = len(frontier)

    def write(self, page: int, scores: Floats) -> None:
        """Stores the scores of a page's links. Raises ReplayDiverged if their number differs."""
        self._scores[self._slice_of(page, len(scores))] = scores

    def numbered(self, visit: Visit) -> Visit:
        """An earlier page with the numbers of its links. Raises like `write`."""
        span = self._slice_of(visit.url_number, len(visit.links))
        return replace(visit, link_numbers=self._targets[span])

    def _slice_of(self, page: int, links: int) -> slice:
        span: slice = self._slices.get(page, _NOWHERE)
        if links != span.stop - span.start:
            raise ReplayDiverged(f"URL {page} has other links when its page is read again")
        return span

    def waiting(self) -> LinkScores:
        """The scores of the links to waiting URLs."""
        row = np.full(self._size, -1, np.int64)
        row[self._numbers] = np.arange(len(self._numbers))
        rows = row[self._targets]
        waits = rows >= 0
        return LinkScores(self._numbers, rows[waits], self._pages[waits], self._scores[waits])


_NOWHERE = slice(0, 0)
