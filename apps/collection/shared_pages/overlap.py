"""The overlap of crawls: the pages of a collection by the crawls that have fetched them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from apps.collection.shared_pages.entry_counts import EntryCount, count_entries
from apps.topics.models import Topic


@dataclass(frozen=True, slots=True)
class Tally:
    """Distinct pages: how many there are, how many are judged, relevant, targets and labelled."""

    pages: int = 0
    judged: int = 0
    relevant: int = 0
    targets: int = 0
    labelled: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.pages + other.pages,
            self.judged + other.judged,
            self.relevant + other.relevant,
            self.targets + other.targets,
            self.labelled + other.labelled,
        )

    @classmethod
    def of(cls, cell: EntryCount) -> Tally:
        number = cell.entries
        return cls(
            number,
            judged=number if cell.verdict >= 0 else 0,
            relevant=number if cell.verdict > 0 else 0,
            targets=number if cell.target else 0,
            labelled=0 if cell.label is None else number,
        )

    @property
    def harvest(self) -> float | None:
        """The share of relevant pages among those judged, from 0 to 1."""
        return self.relevant / self.judged if self.judged else None


@dataclass(frozen=True, slots=True)
class CollectionOverlap:
    """The pages of a collection, counted once for all crawls and once for each.

    `sets` has the pages that exactly these crawls (oldest first) have fetched, sorted by the number
    of crawls, then by size, both descending; τ and verdict come from the newest of them. `crawls`
    has every crawl with pages, by its own verdicts, and `only` how many no other crawl has fetched.
    """

    sets: dict[tuple[int, ...], Tally]
    crawls: dict[int, Tally]
    only: dict[int, int]

    @property
    def together(self) -> Tally:
        return _sum(self.sets.values())


def overlap(
    topic: Topic, crawls: Sequence[int], sets: Mapping[int, tuple[int, ...]]
) -> CollectionOverlap:
    """The overlap of a topic's crawls by their keys; `sets` has by the key of a CrawlSet those of
    them that have fetched its pages, oldest first. Counted in one scan of a covering index."""
    of_set: dict[tuple[int, ...], Tally] = defaultdict(Tally)
    of_crawl: dict[int, Tally] = defaultdict(Tally)
    for cell in count_entries({topic.pk: crawls})[topic.pk]:
        within, tally = sets[cell.crawl_set], Tally.of(cell)
        of_crawl[cell.crawl] += tally
        if cell.crawl == within[-1]:
            of_set[within] += tally
    order = sorted(of_set, key=lambda within: (-len(within), -of_set[within].pages, within))
    return CollectionOverlap(
        {within: of_set[within] for within in order},
        {crawl: of_crawl[crawl] for crawl in sorted(of_crawl)},
        {crawl: of_set[crawl,].pages if (crawl,) in of_set else 0 for crawl in of_crawl},
    )


def _sum(tallies: Iterable[Tally]) -> Tally:
    return sum(tallies, Tally())
