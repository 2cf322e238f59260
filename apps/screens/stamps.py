"""Stamps, by which a browser knows whether what it shows has changed."""

from __future__ import annotations

import zlib


def stamp_of(text: str) -> str:
    """A few letters that change whenever the text does."""
    return f"{zlib.crc32(text.encode()):x}"
