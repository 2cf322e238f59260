"""Every link of a crawl rated by a lesson's models: most of them while the crawl still goes on.

A page whose text was kept is rated without being read again, in another thread. What is left when
the lesson takes effect are the pages fetched since, and strategies that need the page itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from apps.engine.crawl.library import Library, PackedPage
from apps.engine.crawl.link_contexts import without_contexts
from apps.engine.crawl.page_reader import PageReader
from apps.engine.errors import ReplayDiverged
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.rescoring import LinkScores
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.strategies.relearns import Relearns
from apps.engine.model import Floats, Visit

CHUNK = 250
FEW = 100


@dataclass(frozen=True, slots=True)
class Rated:
    """A page's links by new models: `scores` (nan: rejected), or where these move with the crawl
    the page without its text, judged."""

    scores: Floats | None
    visit: Visit | None


class Ratings:
    """The pages rated so far, by URL number; `reader` and `strategy` have the new models."""

    def __init__(self, reader: PageReader, strategy: Relearns) -> None:
        self.strategy = strategy
        self._reader = reader
        self._rated: dict[int, Rated] = {}

    @property
    def by_text(self) -> bool:
        """Whether pages need not be read again."""
        return self.strategy.scores == "links" and self.strategy.reads != "page"

    async def rate_ahead(self, library: Library, frontier: Frontier, few: int) -> None:
        """Rates the pages fetched so far, until no more than `few` have come in meanwhile."""
        if not self.by_text:
            return
        tried: set[int] = set()
        while len(left := [n for n in self._pages_wanted(frontier) if n not in tried]) > few:
            tried.update(left)
            await self._rate_texts(library, left)

    async def rate_rest(self, library: Library, frontier: Frontier) -> tuple[LinkScores, int]:
        """The scores of all waiting links as they are now, and the number of pages they are on.

        Raises BadWebFile if a page is gone, ReplayDiverged if it has other links now.
        """
        links = _Links(frontier)
        wanted = self._pages_wanted(frontier)
        if self.by_text:
            await self._rate_texts(library, self._unrated(wanted))
        for number in wanted:
            if number in self._rated:
                links.write(number, self._scores_now(number))
        async for page in library.pages(self._unrated(wanted)):
            again = self._reader.visit_anew(page.answer, page.number, frontier, page.seq)
            links.write(page.number, _scores(self.strategy, self.strategy.relearn(again)))
            await asyncio.sleep(0)
        return links.waiting(), len(wanted)

    def _pages_wanted(self, frontier: Frontier) -> list[int]:
        """The pages with waiting links; all pages if the strategy learns from the τ of all."""
        if self.strategy.learns_from_pages:
            found = frontier.fetched_numbers()
        else:
            _, pages = frontier.edges(frontier.scorable_numbers())
            found = np.flatnonzero(np.bincount(pages))
        numbers: list[int] = found.tolist()
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
        visit = self._reader.unpacked_visit(page.contexts, page.number, page.url, page.seq)
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
    """Every link that a crawl has found, in the order of finding, and its new score."""

    def __init__(self, frontier: Frontier) -> None:
        self._numbers = frontier.scorable_numbers()
        self._targets, self._pages = frontier.edges(np.arange(len(frontier)))
        self._scores = np.full(len(self._targets), np.nan)
        # A page's links are found all at once, one after the other.
        start = np.flatnonzero(np.diff(self._pages, prepend=-1))
        spans = map(slice, start.tolist(), [*start[1:].tolist(), len(self._pages)])
        self._places = dict(zip(self._pages[start].tolist(), spans, strict=True))
        self._size = len(frontier)

    def write(self, page: int, scores: Floats) -> None:
        """Takes the scores of all links of a page. Raises ReplayDiverged if they do not fit."""
        place = self._places.get(page, _NOWHERE)
        if len(scores) != place.stop - place.start:
            raise ReplayDiverged(f"URL {page} has other links when its page is read again")
        self._scores[place] = scores

    def waiting(self) -> LinkScores:
        """The links to URLs that have a score."""
        row = np.full(self._size, -1, np.int64)
        row[self._numbers] = np.arange(len(self._numbers))
        rows = row[self._targets]
        kept = rows >= 0
        return LinkScores(self._numbers, rows[kept], self._pages[kept], self._scores[kept])


_NOWHERE = slice(0, 0)
