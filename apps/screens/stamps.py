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


def changed_pieces(shown: str, pieces: Iterable[Piece]) -> dict[str, dict[str, str]]:
    """The pieces that differ from those `shown` in a browser (`facts:3f,strip:c2`): HTML and stamp
    by id, as `pieces.js` reads them."""
    stamps = {name: stamp for name, _, stamp in (pair.partition(":") for pair in shown.split(","))}
    changed = (piece for piece in pieces if stamps.get(piece.id) != piece.stamp)
    return {piece.id: {"html": piece.html, "stamp": piece.stamp} for piece in changed}
