"""Live updates of the list: the rows that have changed since a page was drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.utils import timezone

from apps.crawls.listing import CrawlListing, CrawlSearch
from apps.crawls.selectors import crawls_of_rows, visible_crawls
from apps.screens.crawls.row_state import stamp
from apps.screens.crawls.rows import crawl_rows

MOST_ROWS = 100
MOST_BYTES = 9_000


@dataclass(frozen=True, slots=True)
class ShownList:
    """A page of the list as a browser has it: the stamp of each crawl, the one checked longest ago
    first.

    `newest` is the highest crawl number when the page was drawn, `tops` its scales.
    """

    stamps: Mapping[int, str]
    newest: int
    tops: tuple[float, ...]

    @classmethod
    def read(cls, asked: Mapping[str, str]) -> ShownList:
        """From `shown=12:ab,7:cd`, `newest=12`, `tops=1,1,4`. Raises ValueError."""
        pairs = [pair.split(":", 1) for pair in asked.get("shown", "").split(",") if pair]
        tops = tuple(float(top) for top in asked.get("tops", "").split(",") if top)
        if len(pairs) > MOST_ROWS or not all(0 < top < 1e9 for top in tops):
            raise ValueError("no such page")
        return cls({int(number): mark for number, mark in pairs}, int(asked["newest"]), tops)


@dataclass(frozen=True, slots=True)
class ListChanges:
    """HTML of the changed rows, by number; the deleted ones; the number of new ones.

    `rows` is limited to MOST_BYTES: the rest comes with the next response.
    """

    rows: Mapping[int, str]
    gone: Sequence[int]
    new: int
    facts: Sequence[str]
    states: Sequence[int | None]


def changes(person: User, asked: ShownList, search: CrawlSearch) -> ListChanges:
    """The differences from the page in the browser."""
    listing = CrawlListing(visible_crawls(person), search)
    existing = {*listing.all.filter(pk__in=asked.stamps).values_list("pk", flat=True)}
    return ListChanges(
        rows=_changed(person, asked),
        gone=[number for number in asked.stamps if number not in existing],
        new=listing.since(asked.newest),
        facts=listing.facts,
        states=[choice.count for choice in listing.states],
    )


def _changed(person: User, asked: ShownList) -> dict[int, str]:
    now = timezone.now()
    crawls = crawls_of_rows(visible_crawls(person)).in_bulk(asked.stamps)
    differ = [
        crawls[number]
        for number, mark in asked.stamps.items()
        if number in crawls and stamp(crawls[number], now) != mark
    ]
    rows: dict[int, str] = {}
    size = 0
    for row in crawl_rows(differ, person, asked.tops):
        html = render_to_string("crawls/row.html", {"row": row})
        size += len(html.encode())
        if rows and size > MOST_BYTES:
            break
        rows[row.crawl.pk] = html
    return rows
