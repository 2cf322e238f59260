"""The filter by the day of publication."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django.db.models import Q

from apps.search.filter import Field, Parameters
from apps.search.panels import Option
from apps.search.published import UNDATED, UNREAD, Period, PublicationDay
from apps.search.values import Grouped

MOST_MONTHS = 2_000


class EntryDay(PublicationDay, Grouped[Period]):
    """The publication days of a collection's pages, some of which may not be read yet."""

    fields = (
        *PublicationDay.fields,
        Field(
            UNREAD,
            "1 for pages that are not read yet: with days as well, else alone.",
            bool | None,
            "is not 1",
        ),
    )
    example = f"{PublicationDay.example}&unread=1"
    column = "published_month"
    offers = MOST_MONTHS

    def read(self, query: Parameters) -> Period:
        return replace(super().read(query), unread=query.get(UNREAD, "") == "1")

    def pairs(self, value: Period) -> Iterator[tuple[str, str]]:
        yield from super().pairs(value)
        if value.unread:
            yield UNREAD, "1"

    def condition(self, value: Period) -> Q:
        unread = Q(published_month=None)
        if value == Period(unread=True):
            return unread
        passing = super().condition(value)
        return passing | unread if value.unread else passing

    def within_days(self, low: date | None, high: date | None) -> Q:
        ends = {"published__gte": low, "published__lte": high}
        return Q(**{by: day for by, day in ends.items() if day is not None})

    def without_date(self) -> Q:
        return Q(published_month=UNDATED)

    def ticks(self, value: Period, counts: Mapping[Any, int]) -> Sequence[tuple[str, Option]]:
        """With one for pages that are not read yet, as long as there are any."""
        ticks = [*super().ticks(value, counts)]
        if (pages := counts.get(None, 0)) or value.unread:
            ticks.append((UNREAD, Option("1", "not read yet", pages, value.unread)))
        return ticks


PUBLISHED = EntryDay()
