"""The words of pages in scripts without spaces, as numbers of a lexicon.

Such a page has a bigram for each character: to make a string of each, and to look each string up,
takes longer than all else that is done with it. Here the two characters of a bigram are one number,
by which its word is looked up for all bigrams of a page at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import local
from typing import overload

import numpy as np
from numpy.typing import NDArray

from apps.engine.model import Ints
from apps.engine.numbered_words import CompactLexicon

LONGEST = 100_000
"""The most characters of a text that is read so."""
MOST_WORDS = 200_000
"""With more words before a page a new lexicon begins. Its slots are enough for another page."""
_SLOTS = 1 << 19
_SHIFT, _FACTOR = np.uint64(64 - 19), np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(32), np.uint64(0xFFFFFFFF)
_SPACED = np.uint64(1 << 63)
"""Marks the key of a word of another script, which is its index among those."""
_EMPTY = -1
Keys = NDArray[np.uint64]


class BigramLexicon(CompactLexicon):
    """The words of pages by number. Bigrams are looked up by their characters and have no strings:
    a crawl meets more of them than it meets words of other scripts.

    A hash table with open addressing (Knuth, TAOCP 3, §6.4, algorithm L) has the bigrams' numbers,
    a dictionary those of other words; a word that is looked up in both ways has two.
    """

    def __init__(self) -> None:
        self._keys: Keys = np.zeros(1024, np.uint64)
        self._count = 0
        self._slots = np.full(_SLOTS, _EMPTY, np.int32)
        self._spaced: list[str] = []
        self._of_spaced: dict[str, int] = {}

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return self.words_at(np.arange(len(self), dtype=np.int32)[index])
        key = int(self._keys[range(len(self))[index]])
        first, second = divmod(key, 1 << 32)
        if key >= _SPACED:
            return self._spaced[second]
        return chr(first) + chr(second) * (second != 0)

    def words_at(self, numbers: Ints) -> list[str]:
        """The words of these numbers."""
        keys = self._keys[numbers]
        is_spaced = keys >= _SPACED
        codes = np.empty((len(keys), 2), np.uint32)
        codes[:, 0], codes[:, 1] = np.where(is_spaced, 0, keys >> _FIRST), keys & _SECOND
        spaced, lone = np.flatnonzero(is_spaced).tolist(), np.flatnonzero(codes[:, 1] == 0).tolist()
        indices = codes[spaced, 1].tolist()
        codes[spaced] = 0
        text = codes.tobytes().decode("utf-32-le", "surrogatepass")
        words = [text[i : i + 2] for i in range(0, len(text), 2)]
        for i in lone:
            words[i] = words[i][0]
        for i, index in zip(spaced, indices, strict=True):
            words[i] = self._spaced[index]
        return words

    def numbers_of(self, words: Sequence[str]) -> Ints:
        """The number of each word; new ones are added."""
        numbers = self._of_spaced
        new = [word for word in dict.fromkeys(words) if word not in numbers]
        if new:
            numbers.update(zip(new, range(len(self), len(self) + len(new)), strict=True))
            first = len(self._spaced)
            self._spaced += new
            self._append(np.arange(first, len(self._spaced), dtype=np.uint64) | _SPACED)
        return np.fromiter(map(numbers.__getitem__, words), np.int32, len(words))

    def numbers_of_bigrams(self, first: NDArray[np.uint32], second: NDArray[np.uint32]) -> Ints:
        """The number of each bigram of these characters; of a single one if its second is 0. New
        ones are added."""
        keys = (first.astype(np.uint64) << _FIRST) | second
        numbers, _ = self._look_up(keys)
        is_new = numbers == _EMPTY
        if is_new.any():
            new = keys[is_new]
            self._add(np.unique(new))
            numbers[is_new] = self._look_up(new)[0]
        return numbers

    def _look_up(self, keys: Keys) -> tuple[Ints, NDArray[np.int64]]:
        """The number of each key with its slot; of a new one `_EMPTY` and the slot for it."""
        slots = ((keys * _FACTOR) >> _SHIFT).astype(np.int64)
        numbers = self._slots.take(slots)
        # An empty slot reads the last key, which is none: there is room behind the words.
        others = (self._keys.take(numbers) != keys).nonzero()[0]
        while others.size:
            others = others[numbers.take(others) != _EMPTY]
            following = (slots.take(others) + 1) & (_SLOTS - 1)
            slots[others], numbers[others] = following, self._slots.take(following)
            others = others[self._keys.take(numbers.take(others)) != keys.take(others)]
        return numbers, slots

    def _add(self, keys: Keys) -> None:
        """Adds bigrams that are distinct and new."""
        numbers = np.arange(len(self), len(self) + len(keys), dtype=np.int32)
        self._append(keys)
        while keys.size:
            _, slots = self._look_up(keys)
            self._slots[slots] = numbers  # of several for a slot, the last
            is_left = self._slots[slots] != numbers
            keys, numbers = keys[is_left], numbers[is_left]

    def _append(self, keys: Keys) -> None:
        count = self._count + len(keys)
        if count >= len(self._keys):
            larger = np.zeros(max(count + 1, 2 * len(self._keys)), np.uint64)
            larger[: self._count] = self._keys[: self._count]
            self._keys = larger
        self._keys[self._count : count] = keys
        self._count = count


_of_thread = local()


def bigram_lexicon() -> BigramLexicon:
    """This thread's lexicon for a page. One that has grown too large is left to the pages that
    have it."""
    lexicon: BigramLexicon | None = getattr(_of_thread, "lexicon", None)
    if lexicon is None or len(lexicon) > MOST_WORDS:
        lexicon = _of_thread.lexicon = BigramLexicon()
    return lexicon
