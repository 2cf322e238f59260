"""The overlap of crawls as two tables above the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.collection.filters.crawl import CRAWL, Crawls, Match
from apps.collection.filters.not_fetched_by import NOT_FETCHED_BY
from apps.collection.search import CollectionSearch
from apps.collection.shared_pages.overlap import CollectionOverlap, Tally
from apps.engine.intelligence.strategies import strategy_title
from apps.screens.comparison_link import newest_compared

SETS_SHOWN = 8
DOTS = 5
"""With more crawls their numbers are clearer than dots."""
NUMBERS = ("none", "one", "two", "three", "four", "five")


@dataclass(frozen=True, slots=True)
class CrawlOverlap:
    """A crawl with its own pages."""

    pk: int
    strategy: str
    tally: Tally
    only: int
    target_share: float | None


@dataclass(frozen=True, slots=True)
class SetRow:
    """The pages that exactly some crawls have fetched, `part` of the collection; `query` selects
    them, or all again if they are `chosen`. The row of all other sets has no query."""

    words: str
    tally: Tally
    part: float
    dots: tuple[bool, ...] = ()
    query: str | None = None
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class WhoFetched:
    """Both tables; `dotted` are the crawls whose dots are shown, `compare` the page that holds the
    newest against each other."""

    crawls: tuple[CrawlOverlap, ...]
    together: CrawlOverlap
    sets: tuple[SetRow, ...]
    dotted: tuple[int, ...]
    targets: int
    compare: str


def who_fetched(search: CollectionSearch, counted: CollectionOverlap) -> WhoFetched | None:
    """The overlap of the crawls, `counted`; None if fewer than two of them have pages."""
    searched = search.context
    crawls = tuple(counted.crawls)
    if len(crawls) < 2:
        return None
    targets = searched.topic.targets.count()
    strategies = {crawl.pk: strategy_title(crawl.strategy) for crawl in searched.crawls}

    def row(pk: int, strategy: str, tally: Tally, only: int) -> CrawlOverlap:
        return CrawlOverlap(pk, strategy, tally, only, tally.targets / targets if targets else None)

    return WhoFetched(
        tuple(row(pk, strategies[pk], counted.crawls[pk], counted.only[pk]) for pk in crawls),
        row(0, "", counted.together, 0),
        _sets(crawls, counted, search),
        crawls if len(crawls) <= DOTS else (),
        targets,
        newest_compared(crawls),
    )


def _sets(
    crawls: Sequence[int], counted: CollectionOverlap, search: CollectionSearch
) -> tuple[SetRow, ...]:
    """The largest sets in the order of `CollectionOverlap`, and one row for all others."""
    every = counted.together.pages
    largest = sorted(counted.sets, key=lambda by: -counted.sets[by].pages)[:SETS_SHOWN]
    rows = [_row(by, crawls, counted, search) for by in counted.sets if by in largest]
    others = [tally for by, tally in counted.sets.items() if by not in largest]
    if others:
        left = sum(others, Tally())
        rows.append(SetRow(f"{len(others)} other combinations", left, left.pages / every))
    return tuple(rows)


def _row(
    by: tuple[int, ...], crawls: Sequence[int], counted: CollectionOverlap, search: CollectionSearch
) -> SetRow:
    free = search.having(CRAWL, CRAWL.nothing).having(NOT_FETCHED_BY, ())
    chosen = search != free and _sets_chosen(search, counted) == [by]
    match = Match.ALL if len(by) == len(crawls) else Match.ONLY
    asked = free if chosen else free.having(CRAWL, Crawls(by, match))
    dots = tuple(crawl in by for crawl in crawls) if len(crawls) <= DOTS else ()
    tally = counted.sets[by]
    part = tally.pages / counted.together.pages
    return SetRow(_words(by, len(crawls)), tally, part, dots, asked.query(), chosen)


def _sets_chosen(search: CollectionSearch, counted: CollectionOverlap) -> list[tuple[int, ...]]:
    """The sets whose pages pass the filters by crawls."""
    wanted, unwanted = search.of(CRAWL), search.of(NOT_FETCHED_BY)
    return [by for by in counted.sets if wanted.passes(by) and NOT_FETCHED_BY.passes(unwanted, by)]


def _words(by: Sequence[int], of: int) -> str:
    """`in all three`, `in #3 and #5`, `only in #4`."""
    if len(by) == of:
        return "in both" if of == 2 else f"in all {NUMBERS[of] if of < len(NUMBERS) else of}"
    if len(by) == 1:
        return f"only in #{by[0]}"
    return "in " + ", ".join(f"#{crawl}" for crawl in by[:-1]) + f" and #{by[-1]}"
