"""Whole numbers that people and programs send as text."""

from __future__ import annotations

LONGEST = 18
"""Digits that any database can hold."""


def whole_number(text: str) -> int | None:
    """The number of up to eighteen ASCII digits; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST else None
