"""The filter by status σ."""

from __future__ import annotations

from apps.search.filter import Field
from apps.search.numbers import decimal
from apps.search.ranges import RangeFilter


class Status(RangeFilter[float]):
    """Filters by status σ, from one number to another."""

    id = "status"
    title = "Status σ"
    sentence = "From one status to another, as the crawl’s strategy assessed the page."
    unknown = "is not a number"
    fields = (
        Field("status_from", "The least status.", float | None),
        Field("status_to", "The greatest status.", float | None),
    )
    example = "status_from=-0.5&status_to=2"
    column = "status"
    type = "number"
    words = ("from", "to")

    def parse(self, text: str) -> float | None:
        return decimal(text)

    def text(self, end: float) -> str:
        return f"{end:g}"

    def chip(self, end: float, upper: bool) -> str:
        return f"σ {'≤' if upper else '≥'}\u202f{end}"

    def contradiction(self, low: str, high: str) -> str:
        return f"No status is at least {low} and at most {high}."


STATUS = Status()
