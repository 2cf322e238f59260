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


class CompactLexicon(Sequence[str]):
    """Words by number that are made when they are asked for, which is quicker for many at once. It
    may only grow, and is compared by identity."""

    def words_at(self, numbers: Ints) -> list[str]:
        """The words of these numbers."""
        raise NotImplementedError


def words_at(lexicon: Sequence[str], numbers: Ints) -> list[str]:
    """The words of these numbers in a lexicon of any kind."""
    if isinstance(lexicon, CompactLexicon):
        return lexicon.words_at(numbers)
    return [*map(lexicon.__getitem__, numbers.tolist())]


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
        return iter(words_at(self.lexicon, self.ids))

    def distinct(self) -> frozenset[str]:
        """The distinct words."""
        return frozenset(words_at(self.lexicon, np.unique(self.ids)))

    def __repr__(self) -> str:
        return f"NumberedWords({list(self)})"
