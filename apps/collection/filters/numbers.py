"""Numbers in an address."""

from __future__ import annotations


def whole_number(text: str) -> int | None:
    """The number in a text, if it may be a key; else None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def decimal(text: str) -> float | None:
    """The number in a text, or None if it is not a finite number."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e9 else None
