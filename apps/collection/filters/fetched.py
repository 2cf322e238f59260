"""The filter by the day a page was fetched."""

from __future__ import annotations

from datetime import date

from apps.collection.filters.filter import Field
from apps.collection.filters.ranges import Range


class Fetched(Range[date]):
    """By the day on which the page was fetched, both ends included."""

    id = "fetched"
    title = "Fetched"
    sentence = "From one day to another, both included."
    unknown = "is not a day; write it as 2026-05-01"
    fields = (
        Field("since", "A day, as in 2026-05-01.", str | None),
        Field("until", "A day, as in 2026-05-01.", str | None),
    )
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

    def chip(self, end: date, upper: bool) -> str:
        return f"fetched {'until' if upper else 'since'} {end}"

    def contradiction(self, low: str, high: str) -> str:
        return f"No day is since {low} and until {high}."


FETCHED = Fetched()
