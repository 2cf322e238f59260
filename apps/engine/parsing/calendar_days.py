"""Days of the calendar from their written parts."""

from __future__ import annotations

from datetime import date


def calendar_day(
    year: str | int, month: str | int | None = 1, day: str | int | None = 1
) -> date | None:
    """The day, of a month or a year its first; None if the calendar has no such day."""
    try:
        return date(int(year), *(1 if part is None else int(part) for part in (month, day)))
    except ValueError:
        return None
