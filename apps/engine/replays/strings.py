"""A table of strings in two columns: their UTF-8 bytes, one after another, and their ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import overload

import numpy as np

from apps.engine.replays.columns import Column


class Strings(Sequence[str]):
    """A table of strings; each is decoded once, when it is first read."""

    def __init__(self, data: Column, ends: Column) -> None:
        self._data = data.data
        self._ends = ends
        self._decoded: list[str | None] = [None] * len(ends)

    def __len__(self) -> int:
        return len(self._decoded)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return self._decoded[index] or self._read(index)

    def several(self, indices: Column) -> tuple[str, ...]:
        """The strings at these indices."""
        decoded, read = self._decoded, self._read
        return tuple([decoded[index] or read(index) for index in indices.tolist()])

    def _read(self, index: int) -> str:
        start = int(self._ends[index - 1]) if index else 0
        piece = bytes(self._data[start : int(self._ends[index])])
        string = self._decoded[index] = piece.decode("utf-8", "surrogatepass")
        return string


def string_columns(strings: Iterable[str]) -> tuple[Column, Column]:
    """The two columns of a table."""
    pieces = [string.encode("utf-8", "surrogatepass") for string in strings]
    lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
    return np.frombuffer(b"".join(pieces), np.uint8), np.cumsum(lengths)
