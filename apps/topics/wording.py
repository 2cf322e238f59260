"""Numbers and days in sentences."""

from __future__ import annotations


def number_of(count: int, noun: str) -> str:
    """`1 page`, `1,200 pages`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def day(moment: str) -> str:
    """The day of a time in ISO 8601."""
    return moment[:10]
