"""The filter by the day a page was fetched."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import connection
from django.db.models import Q
from django.utils import timezone

from apps.crawls.models import Page
from apps.search.filter import Field
from apps.search.ranges import RangeFilter, Span
from apps.search.sql import raw

UTC_ZONE = ZoneInfo("UTC")


class Fetched(RangeFilter[date]):
    """Filters by the day on which the page was fetched, both ends included.

    A day is one of the current time zone: the reader's on a screen, UTC in the API and in commands.
    """

    id = "fetched"
    title = "Fetched"
    sentence = "From one day to another, both included."
    unknown = "is not a day; write it as 2026-05-01"
    fields = (
        Field("since", "A day, as in 2026-05-01.", str | None),
        Field("until", "A day, as in 2026-05-01.", str | None),
    )
    example = "since=2026-05-01&until=2026-05-09"
    column = "day"
    type = "date"
    words = ("since", "until")

    def parse(self, text: str) -> date | None:
        try:
            return date.fromisoformat(text)
        except ValueError:
            return None

    def text(self, end: date) -> str:
        return end.isoformat()

    def condition(self, value: Span[date]) -> Q:
        """Filters by the stored day, which is UTC's, and by the moment where a zone has other
        days."""
        if timezone.get_current_timezone() == UTC_ZONE:
            return super().condition(value)
        after = _nearby(value.high, 1)
        condition = super().condition(Span(_nearby(value.low, -1), after))
        if value.low is not None:
            condition &= _fetched(">=", value.low)
        return condition & _fetched("<", after) if after is not None else condition

    def chip(self, end: date, upper: bool) -> str:
        return f"fetched {'until' if upper else 'since'} {end}"

    def contradiction(self, low: str, high: str) -> str:
        return f"No day is since {low} and until {high}."


def _nearby(day: date | None, days: int) -> date | None:
    """So many days later, which covers any difference of zones; None beyond the calendar."""
    try:
        return None if day is None else day + timedelta(days)
    except OverflowError:
        return None


def _fetched(operator: str, day: date) -> Q:
    """The page was fetched before, or not before, the day begins in the current zone."""
    begins = datetime.combine(day, time.min, timezone.get_current_timezone())
    moment = connection.ops.adapt_datetimefield_value(begins)
    page = Page._meta.db_table
    return raw(
        f"EXISTS (SELECT 1 FROM {page} WHERE {page}.id = page_id AND fetched_at {operator} %s)",
        (moment,),
    )


FETCHED = Fetched()
