"""Dates as documents declare them."""

from __future__ import annotations

import re

from apps.engine.parsing.calendar_days import calendar_day

_PDF_DATE = re.compile(r"(?:D:)?(\d{4})(\d{2})?(\d{2})?")
_ISO_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


def pdf_date(text: str) -> str:
    """`2026-03-11` from `D:20260311100203+01'00'`; empty if it is no date of the calendar."""
    return _iso(_PDF_DATE.match(text.strip()))


def iso_date(text: str) -> str:
    """`2026-03-11` from `2026-03-11T10:02:03Z`; empty if it is no date of the calendar."""
    return _iso(_ISO_DATE.match(text.strip()))


def _iso(match: re.Match[str] | None) -> str:
    day = calendar_day(*match.groups()) if match else None
    return day.isoformat() if day else ""
