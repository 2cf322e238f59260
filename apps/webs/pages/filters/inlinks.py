"""The filter by in-links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import Q

from apps.search.filter import Field
from apps.search.sql import raw
from apps.search.values import Values, any_of
from apps.webs.pages.filters.page_filter import Limits, PageFilter, Select, count_ranges

RANGES: dict[str, Limits] = {
    "none": (0, 0),
    "1-9": (1, 9),
    "10-99": (10, 99),
    "100-up": (100, None),
}
WORDS = {"none": "none", "1-9": "1–9", "10-99": "10–99", "100-up": "100 and more"}


class Inlinks(Values[str], PageFilter[tuple[str, ...]]):
    """Filters by the number of pages of the web that link to a page."""

    id = "inlinks"
    title = "In-links"
    sentence = "How many pages of the web link to the page, where links are counted."
    unknown = f"is not a number of in-links; give {', '.join(RANGES)}"
    fields = (
        Field("inlinks", f"Pages of the web that link to a page, if counted: {', '.join(RANGES)}."),
    )
    example = "inlinks=none&inlinks=100-up"

    def parse(self, text: str) -> str | None:
        return text if text in RANGES else None

    def words(self, key: str) -> str:
        return WORDS[key]

    def chip(self, key: str) -> str:
        return f"in-links: {WORDS[key]}"

    def condition(self, value: tuple[str, ...]) -> Q:
        return any_of(_between(*RANGES[name]) for name in value)

    def counts(self, select: Select) -> Mapping[str, int]:
        return count_ranges(select, RANGES, "inlinks", "linked USING (page)")

    def offered(self, value: tuple[str, ...], counts: Mapping[str, int]) -> Iterable[str]:
        return [name for name in RANGES if name in counts or name in value]


def _between(least: int, most: int | None) -> Q:
    limit = f"BETWEEN {least} AND {most}" if most is not None else f">= {least}"
    return raw(f"number IN (SELECT page FROM linked WHERE inlinks {limit})")


INLINKS = Inlinks()
