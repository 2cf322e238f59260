"""Live updates of the list: the rows that have changed since a page was drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractUser
from django.template.loader import render_to_string
from django.utils import timezone

from apps.crawls.selectors import visible_crawls
from apps.screens.crawls.index import listed
from apps.screens.crawls.listing import Filters, Listing
from apps.screens.crawls.row_state import stamp
from apps.screens.crawls.rows import crawl_rows

MOST_ROWS = 100
MOST_BYTES = 9_000


@dataclass(frozen=True, slots=True)
class Asked:
    """A page of the list as a browser has it: the stamp of each crawl, the one checked longest ago
    first.

    `newest` is the highest crawl number when the page was drawn, `tops` its scales.
    """

    stamps: Mapping[int, str]
    newest: int
    tops: tuple[float, ...]

    @classmethod
    def read(cls, asked: Mapping[str, str]) -> Asked:
        """From `shown=12:ab,7:cd`, `newest=12`, `tops=1,1,4`. Raises ValueError."""
        pairs = [pair.split(":", 1) for pair in asked.get("shown", "").split(",") if pair]
        tops = tuple(float(top) for top in asked.get("tops", "").split(",") if top)
        if len(pairs) > MOST_ROWS or not all(0 < top < 1e9 for top in tops):
            raise ValueError("no such page")
        return cls({int(number): mark for number, mark in pairs}, int(asked["newest"]), tops)


@dataclass(frozen=True, slots=True)
class Changes:
    """HTML of the changed rows, by number; the deleted ones; the number of new ones.

    `rows` is limited to MOST_BYTES: the rest comes with the next response.
    """

    rows: Mapping[int, str]
    gone: Sequence[int]
    new: int
    facts: Sequence[str]
    states: Sequence[int | None]


def changes(person: AbstractUser, asked: Asked, filters: Filters) -> Changes:
    """The differences from the page in the browser."""
    listing = Listing(list(listed(visible_crawls(person))), filters)
    there = {crawl.pk for crawl in listing.all}
    return Changes(
        rows=_changed(person, asked),
        gone=[number for number in asked.stamps if number not in there],
        new=sum(crawl.pk > asked.newest for crawl in listing.shown),
        facts=listing.facts,
        states=[choice.count for choice in listing.states],
    )


def _changed(person: AbstractUser, asked: Asked) -> dict[int, str]:
    now = timezone.now()
    found = {crawl.pk: crawl for crawl in visible_crawls(person).filter(pk__in=asked.stamps)}
    differ = [found[number] for number, mark in asked.stamps.items()
              if number in found and stamp(found[number], now) != mark]  # fmt: skip
    rows, size = {}, 0
    for row in crawl_rows(differ, person, asked.tops):
        html = render_to_string("crawls/row.html", {"row": row})
        size += len(html.encode())
        if rows and size > MOST_BYTES:
            break
        rows[row.crawl.pk] = html
    return rows
