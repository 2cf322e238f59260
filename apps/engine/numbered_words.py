"""Words stored as numbers of a lexicon: a text of a thousand words is one array."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np

from apps.engine.model import Ints


class Lexicon(list[str]):
    """Words by number. It may only grow, and is compared by identity: it is long and looked up for
    each text."""

    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __hash__ = object.__hash__  # type: ignore[assignment]


class NumberedWords(Sequence[str]):
    """A read-only sequence of words: word i is lexicon[ids[i]]. A slice is one as well.

    The lexicon may only grow, and be hashable and weakly referable.
    """

    __slots__ = ("ids", "lexicon")

    def __init__(self, ids: Ints, lexicon: Sequence[str]) -> None:
        self.ids = ids
        self.lexicon = lexicon

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> NumberedWords: ...
    def __getitem__(self, index: int | slice) -> str | NumberedWords:
        if isinstance(index, slice):
            return NumberedWords(self.ids[index], self.lexicon)
        return self.lexicon[int(self.ids[index])]

    def __iter__(self) -> Iterator[str]:
        return map(self.lexicon.__getitem__, self.ids.tolist())

    def distinct(self) -> frozenset[str]:
        """The distinct words."""
        return frozenset(map(self.lexicon.__getitem__, np.unique(self.ids).tolist()))

    def __repr__(self) -> str:
        return f"NumberedWords({list(self)})"
