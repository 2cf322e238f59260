"""Numbers as they are written in an address."""

from __future__ import annotations


def whole_number(text: str) -> int | None:
    """A number that a key may be; None where the text is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def decimal(text: str) -> float | None:
    """The number a text is; None where it is none, or beyond all measure."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e9 else None
