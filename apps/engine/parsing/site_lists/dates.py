"""The dates of site lists, which are written in several ways and often wrong."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime

from apps.engine.parsing.calendar_days import calendar_day

EARLIEST = date(1990, 1, 1)
"""Older dates are those of clocks that were never set."""

_ISO = re.compile(r"\s*(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?![\d])")


def plain_date(text: str, fetched_at: float) -> str:
    """The day as `2026-11-26`; empty for none, and for one before 1990 or after the day on which
    the list came."""
    day = _iso(text) or _rfc822(text)
    if day is None or day < EARLIEST:
        return ""
    latest = datetime.fromtimestamp(fetched_at, UTC).date() + timedelta(days=1)
    return "" if fetched_at and day > latest else day.isoformat()


def _iso(text: str) -> date | None:
    matched = _ISO.match(text)
    return calendar_day(*matched.groups()) if matched else None


def _rfc822(text: str) -> date | None:
    try:
        return parsedate_to_datetime(text.strip()).date()
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
