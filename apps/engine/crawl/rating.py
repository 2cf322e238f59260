"""Every link of a crawl rated by a lesson's models: most of them while the crawl still goes on.

A page whose text was kept is rated without being read again, in another thread. What is left when
the lesson takes effect are the pages fetched since, and strategies that need the page itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from apps.engine.crawl.kept_text import without_text
from apps.engine.crawl.library import KeptPage, Library
from apps.engine.crawl.reading import Reader
from apps.engine.errors import ReplayDiverged
from apps.engine.frontier.rescoring import LinkScores
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.model import Floats, Visit

if TYPE_CHECKING:
    from apps.engine.crawl.loop import Crawl

CHUNK = 250
FEW = 100


@dataclass(frozen=True, slots=True)
class Rated:
    """A page's links by new models: `scores` (nan: rejected), or where these move with the crawl
    the page without its text, judged."""

    scores: Floats | None
    visit: Visit | None


class Ratings:
    """The pages rated so far, by URL number; `reader` and `strategy` are the new models'."""

    def __init__(self, reader: Reader, strategy: Strategy) -> None:
        self._reader = reader
        self._strategy = strategy
        self._rated: dict[int, Rated] = {}

    @property
    def by_text(self) -> bool:
        """Whether pages need not be read again."""
        strategy = self._strategy
        return strategy.reads_examples() and strategy.scores == "links" and strategy.reads != "page"

    async def rate_ahead(self, crawl: Crawl, few: int = FEW) -> None:
        """Rates the pages that the crawl has, until no more than `few` have come in meanwhile."""
        if not self.by_text or crawl.library is None:
            return
        tried: set[int] = set()
        while len(left := [n for n in _pages_wanted(crawl) if n not in tried]) > few:
            tried.update(left)
            await self._rate_texts(crawl.library, left)

    async def rate_rest(self, crawl: Crawl) -> tuple[LinkScores, int]:
        """The scores of all waiting links as they are now, and of how many pages they were told.

        Raises BadWebFile where a page is gone, ReplayDiverged where it has other links now.
        """
        assert crawl.library is not None
        links = _Links(crawl)
        wanted = _pages_wanted(crawl)
        if self.by_text:
            await self._rate_texts(crawl.library, self._unrated(wanted))
        for number in wanted:
            if number in self._rated:
                links.write(number, self._scores_now(number))
        async for page in crawl.library.pages(self._unrated(wanted)):
            again = self._reader.visit_again(page.answer, page.number, crawl.frontier, page.seq)
            links.write(page.number, _scores(self._strategy, self._strategy.relearn(again)))
            await asyncio.sleep(0)
        return links.waiting(), len(wanted)

    def _unrated(self, wanted: Sequence[int]) -> list[int]:
        return [number for number in wanted if number not in self._rated]

    async def _rate_texts(self, library: Library, numbers: Sequence[int]) -> None:
        for start in range(0, len(numbers), CHUNK):
            kept = await library.texts(numbers[start : start + CHUNK])
            self._rated |= await asyncio.to_thread(self._rate, kept)

    def _rate(self, kept: Sequence[KeptPage]) -> Mapping[int, Rated]:
        return {page.number: self._rate_one(page) for page in kept}

    def _rate_one(self, page: KeptPage) -> Rated:
        visit = self._reader.visit_kept(page.text, page.number, page.url, page.seq)
        if self._strategy.scores_move:
            return Rated(None, without_text(visit))
        return Rated(_scores(self._strategy, visit), None)

    def _scores_now(self, number: int) -> Floats:
        rated = self._rated[number]
        if rated.visit is None:
            assert rated.scores is not None
            return rated.scores
        return _scores(self._strategy, self._strategy.relearn(rated.visit))


def _scores(strategy: Strategy, visit: Visit) -> Floats:
    return np.asarray(strategy.score_links(visit), np.float64)


def _pages_wanted(crawl: Crawl) -> list[int]:
    """The pages with waiting links; of a strategy that learns from the τ of all pages, all."""
    if crawl.strategy.learns_from_pages:
        found = crawl.frontier.fetched_numbers()
    else:
        _, pages = crawl.frontier.edges(crawl.frontier.scorable_numbers())
        found = np.flatnonzero(np.bincount(pages))
    numbers: list[int] = found.tolist()
    return numbers


class _Links:
    """Every link that a crawl has found, in the order of finding, and its new score."""

    def __init__(self, crawl: Crawl) -> None:
        frontier = crawl.frontier
        self._numbers = frontier.scorable_numbers()
        self._targets, self._pages = frontier.edges(np.arange(len(frontier)))
        self._scores = np.full(len(self._targets), np.nan)
        # A page's links are found all at once, one after the other.
        start = np.flatnonzero(np.diff(self._pages, prepend=-1))
        spans = map(slice, start.tolist(), [*start[1:].tolist(), len(self._pages)])
        self._places = dict(zip(self._pages[start].tolist(), spans, strict=True))
        self._size = len(frontier)

    def write(self, page: int, scores: Floats) -> None:
        """Takes the scores of all links of a page. Raises ReplayDiverged where they do not fit."""
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
