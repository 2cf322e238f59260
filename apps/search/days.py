"""Days as people write them in searches: a year, a month or a day."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, timedelta

from apps.engine.parsing.calendar_days import calendar_day

_WRITTEN = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", re.ASCII)


def first_day(text: str) -> date | None:
    """The first day of `2026`, `2026-05` or `2026-05-01`, or None."""
    parts = _WRITTEN.fullmatch(text.strip())
    return calendar_day(*parts.groups()) if parts else None


def last_day(text: str) -> date | None:
    """The last day of the same, or None."""
    first = first_day(text)
    if first is None or text.count("-") == 2:
        return first
    month = 12 if "-" not in text else first.month
    with suppress(ValueError):
        following = date(first.year + month // 12, month % 12 + 1, 1)
        return following - timedelta(1)
    return None


def shortest_first(day: date) -> str:
    """The shortest text of which it is the first day."""
    if day.day > 1:
        return day.isoformat()
    return f"{day.year:04}" if day.month == 1 else day.isoformat()[:7]


def shortest_last(day: date) -> str:
    """The shortest text of which it is the last day."""
    iso = day.isoformat()
    return next(text for text in (iso[:4], iso[:7], iso) if last_day(text) == day)
