"""A table of strings in two columns: their UTF-8 bytes, one after another, and where each ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import overload

import numpy as np

from apps.engine.replays.columns import Column


class Strings(Sequence[str]):
    """A table of strings; those that were asked for are kept."""

    def __init__(self, data: Column, ends: Column) -> None:
        self._data = data.data
        self._ends = ends
        self._known: list[str | None] = [None] * len(ends)

    def __len__(self) -> int:
        return len(self._known)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        return self._known[place] or self._read(place)

    def several(self, places: Column) -> tuple[str, ...]:
        """The strings at these places."""
        known, read = self._known, self._read
        return tuple([known[place] or read(place) for place in places.tolist()])

    def _read(self, place: int) -> str:
        start = int(self._ends[place - 1]) if place else 0
        piece = bytes(self._data[start : int(self._ends[place])])
        string = self._known[place] = piece.decode("utf-8", "surrogatepass")
        return string


def string_columns(strings: Iterable[str]) -> tuple[Column, Column]:
    """The two columns of a table."""
    pieces = [string.encode("utf-8", "surrogatepass") for string in strings]
    lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
    return np.frombuffer(b"".join(pieces), np.uint8), np.cumsum(lengths)
