"""Numbers in an address."""

from __future__ import annotations


def decimal(text: str) -> float | None:
    """The number in a text, or None if it is not a finite number."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e9 else None
