"""The pages that crawls of one topic have in common, counted as in their collection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from apps.collection.searched_crawls import SearchedCrawls, up_to_date
from apps.collection.shared_pages.overlap import overlap
from apps.crawls.models import Crawl
from apps.engine.evaluation.url_overlap import UrlOverlap

AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class PageSets:
    """Distinct pages by the crawls that have fetched them; a page is identified by its final
    address.

    `fetched` counts the pages by the crawls that have fetched them, oldest first. `unlisted` pages
    are not indexed in the collection yet. `alike_until` is the number of the last page up to which
    all crawls fetched the same pages in the same order.
    """

    crawls: tuple[int, ...]
    fetched: Mapping[tuple[int, ...], int]
    unlisted: int
    alike_until: int

    @property
    def different(self) -> int:
        """The number of distinct pages."""
        return sum(self.fetched.values())

    @property
    def in_all(self) -> int:
        return self.fetched.get(tuple(sorted(self.crawls)), 0)

    def of(self, crawl: int) -> int:
        """Pages that a crawl has fetched."""
        return sum(n for by, n in self.fetched.items() if crawl in by)

    def alone(self, crawl: int) -> int:
        """Pages that only this crawl has fetched."""
        return self.fetched.get((crawl,), 0)

    def shared(self, first: int, second: int) -> UrlOverlap:
        """The pages of two of the crawls, alone and together, ignoring the others."""

        def count_by(has: bool, other_has: bool) -> int:
            return sum(
                n
                for by, n in self.fetched.items()
                if (first in by) is has and (second in by) is other_has
            )

        return UrlOverlap(count_by(True, False), count_by(True, True), count_by(False, True))

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        return tuple(combinations(self.crawls, 2))

    @property
    def same_pages(self) -> bool:
        """Whether all have fetched exactly the same pages."""
        return bool(self.different) and not self.unlisted and self.in_all == self.different

    @property
    def same_order(self) -> bool:
        """Whether they have also fetched them in the same order."""
        return self.same_pages and self.alike_until == self.different


def page_sets(crawls: Sequence[Crawl]) -> PageSets:
    """The page sets of two or more crawls of one topic, after indexing their last pages."""
    searched = up_to_date(SearchedCrawls(crawls[0].topic, tuple(crawls)))
    fetched = {
        by: tally.pages
        for by, tally in overlap(searched.topic, searched.crawl_ids, searched.sets).sets.items()
    }
    return PageSets(searched.crawl_ids, fetched, searched.unlisted, _alike_until(crawls))


def _alike_until(crawls: Sequence[Crawl]) -> int:
    """How many pages all crawls have fetched alike from the start."""
    alike = 0
    while True:
        chunks = [_addresses(crawl, alike) for crawl in crawls]
        shortest = min(map(len, chunks))
        for index in range(shortest):
            if any(chunk[index] != chunks[0][index] for chunk in chunks):
                return alike + index
        alike += shortest
        if shortest < AT_ONCE:
            return alike


def _addresses(crawl: Crawl, after: int) -> list[str]:
    pages = crawl.pages_fetched.filter(seq__gt=after, seq__lte=after + AT_ONCE)
    return list(pages.order_by("seq").values_list("final_url", flat=True))
