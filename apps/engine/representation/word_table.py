"""Distinct words by number, in memory that a million of them do not fill.

A string and its entries in a dictionary and a list take 126 bytes; here a word takes its letters
and some 16 bytes. Looking one up takes a microsecond, so the words of texts are looked up in a memo
first.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator

import numpy as np

FEWEST_SLOTS = 1024
_EMPTY = -1
_HASH_BITS = 0xFFFFFFFF
_ENCODING, _ERRORS = "utf-8", "surrogatepass"


class WordTable:
    """An append-only list of distinct words, of which each is also found by itself.

    The words stand in one text; a hash table with open addressing (Knuth, TAOCP 3, §6.4, algorithm
    L) has their numbers.
    """

    def __init__(self, words: Iterable[str] = ()) -> None:
        self._text = bytearray()
        self._ends = array("I", (0,))  # word n ends at entry n + 1
        self._hashes = array("I")
        self._slots = array("i", (_EMPTY,)) * FEWEST_SLOTS
        for word in words:
            self.append(word)

    def __len__(self) -> int:
        return len(self._hashes)

    def __getitem__(self, number: int) -> str:
        ends = self._ends
        return self._text[ends[number] : ends[number + 1]].decode(_ENCODING, _ERRORS)

    def __iter__(self) -> Iterator[str]:
        return map(self.__getitem__, range(len(self)))

    def number(self, word: str) -> int | None:
        """The number of a word, None if the table does not have it."""
        number = self._slots[self._slot(word, hash(word) & _HASH_BITS)]
        return None if number == _EMPTY else number

    def append(self, word: str) -> int:
        """The number of a word, which is added if the table does not have it."""
        hashed = hash(word) & _HASH_BITS
        slots = self._slots
        slot = hashed & (len(slots) - 1)
        if slots[slot] != _EMPTY:  # else a call less, for most of the new words
            slot = self._slot(word, hashed)
            if (number := slots[slot]) != _EMPTY:
                return number
        number = slots[slot] = len(self._hashes)
        self._text += word.encode(_ENCODING, _ERRORS)
        self._ends.append(len(self._text))
        self._hashes.append(hashed)
        if 3 * number >= 2 * len(slots):
            self._double_slots()
        return number

    def copy(self) -> WordTable:
        """An independent table of the same words."""
        other = WordTable()
        other._text, other._ends = self._text[:], self._ends[:]
        other._hashes, other._slots = self._hashes[:], self._slots[:]
        return other

    def _slot(self, word: str, hashed: int) -> int:
        """The slot that has the word's number, or else the empty one for it."""
        slots, hashes = self._slots, self._hashes
        last = len(slots) - 1
        slot = hashed & last
        while (number := slots[slot]) != _EMPTY:
            if hashes[number] == hashed and self[number] == word:
                break
            slot = (slot + 1) & last
        return slot

    def _double_slots(self) -> None:
        """Enters all numbers in twice as many slots: each into the first empty one from that of its
        hash on, all at a time."""
        size = 2 * len(self._slots)
        slots = np.full(size, _EMPTY, np.int32)
        numbers = np.arange(len(self), dtype=np.int32)
        at = np.frombuffer(self._hashes, np.uint32) & np.uint32(size - 1)
        while numbers.size:
            is_empty = slots[at] == _EMPTY
            slots[at[is_empty]] = numbers[is_empty]  # of several for a slot, the last
            is_left = slots[at] != numbers
            numbers, at = numbers[is_left], (at[is_left] + np.uint32(1)) & np.uint32(size - 1)
        self._slots = array("i", slots.tobytes())
