"""Texts as numbers, for columns that compare addresses and words."""

from __future__ import annotations

from hashlib import blake2b


def digest(text: str) -> int:
    """A 64-bit hash of a text, signed as databases store it."""
    return int.from_bytes(
        blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big", signed=True
    )
