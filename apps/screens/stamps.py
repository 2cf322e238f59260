"""Stamps, by which a browser notices that a shown piece has changed."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass


def stamp_of(text: str) -> str:
    """A few letters that change whenever the text does."""
    return f"{zlib.crc32(text.encode()):x}"


@dataclass(frozen=True, slots=True)
class Piece:
    """HTML for what has that id; `stamp` changes whenever the HTML does."""

    id: str
    html: str

    @property
    def stamp(self) -> str:
        return stamp_of(self.html)


def pieces_by_id(pieces: Iterable[Piece]) -> dict[str, dict[str, str]]:
    """The pieces as `pieces.js` reads them."""
    return {piece.id: {"html": piece.html, "stamp": piece.stamp} for piece in pieces}
