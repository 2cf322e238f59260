"""Distinct words by number, in memory that a million of them do not fill.

A string and its entries in a dictionary and a list take 126 bytes; here a word takes its letters
and some 16 bytes. Looking one up takes a microsecond, so the words of texts are looked up in a memo
first.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.engine.model import Ints

FEWEST_SLOTS = 1024
_EMPTY = -1
_HASH_BITS = 0xFFFFFFFF
_STEP_SHIFT = 16
_HASH = np.uint32
Hashes = NDArray[np.uint32]
_ENCODING, _ERRORS = "utf-8", "surrogatepass"


class WordTable:
    """An append-only list of distinct words, of which each is also found by itself.

    The words stand in one text; a hash table with open addressing and double hashing (Knuth, TAOCP
    3, §6.4, algorithm D) has their numbers: of many words that are looked up together, one that
    takes many steps holds up all.
    """

    def __init__(self, words: Iterable[str] = ()) -> None:
        self._text = bytearray()
        self._ends = array("I", (0,))  # word n ends at entry n + 1
        self._hashes = array("I")
        self._slots = array("i", (_EMPTY,)) * FEWEST_SLOTS
        self.append_all([*words])

    def state(self) -> dict[str, Any]:
        """The words as arrays, for `of_state`."""
        text, ends = np.frombuffer(self._text, np.uint8), np.frombuffer(self._ends, np.uint32)
        return {"text": text.copy(), "ends": ends.copy()}

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> WordTable:
        """The table of that state; Python hashes words otherwise in each process."""
        return cls(_parted(state["text"].tobytes(), state["ends"].tolist()))

    def __len__(self) -> int:
        return len(self._hashes)

    def __getitem__(self, number: int) -> str:
        ends = self._ends
        return self._text[ends[number] : ends[number + 1]].decode(_ENCODING, _ERRORS)

    def __iter__(self) -> Iterator[str]:
        return _parted(bytes(self._text), self._ends[:])

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
            self._enlarge_slots(2 * len(slots))
        return number

    def append_all(self, words: Sequence[str]) -> Ints:
        """The number of each word; those that the table does not have are added in their order."""
        hashes = _hashes_of(words)
        numbers = self._numbers_of(words, hashes)
        missing = np.flatnonzero(numbers == _EMPTY)
        if missing.size:
            new = dict.fromkeys(words[i] for i in missing.tolist())
            number_of = dict(zip(new, range(len(self), len(self) + len(new)), strict=True))
            self._add([*new])
            numbers[missing] = [number_of[words[i]] for i in missing.tolist()]
        return numbers

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
        slot, step = hashed & last, hashed >> _STEP_SHIFT | 1
        while (number := slots[slot]) != _EMPTY:
            if hashes[number] == hashed and self[number] == word:
                break
            slot = (slot + step) & last
        return slot

    def _numbers_of(self, words: Sequence[str], hashes: Hashes) -> Ints:
        """The number of each word, -1 of one that the table does not have; all at a time, of which
        only the words that seem to be the same are compared."""
        slots, of_numbers = np.frombuffer(self._slots, np.int32), np.frombuffer(self._hashes, _HASH)
        last = _HASH(len(slots) - 1)
        numbers = np.full(len(words), _EMPTY, np.int32)
        searched, at = np.arange(len(words)), hashes & last
        while True:
            held = slots[at]
            is_full = held != _EMPTY
            searched, at, held = searched[is_full], at[is_full], held[is_full]
            if not searched.size:
                return numbers
            is_same = of_numbers[held] == hashes[searched]
            for i in np.flatnonzero(is_same).tolist():
                is_same[i] = self[held[i]] == words[searched[i]]
            numbers[searched[is_same]] = held[is_same]
            searched, at = searched[~is_same], at[~is_same]
            at = (at + _steps(hashes[searched])) & last

    def _add(self, words: Sequence[str]) -> None:
        """Adds words that are distinct and new."""
        first = len(self)
        encoded = [word.encode(_ENCODING, _ERRORS) for word in words]
        ends = np.cumsum([*map(len, encoded)]) + len(self._text)
        hashes = _hashes_of(words)
        self._text += b"".join(encoded)
        self._ends.frombytes(ends.astype(np.uint32).tobytes())
        self._hashes.frombytes(hashes.tobytes())
        slots = len(self._slots)
        while 3 * len(self) > 2 * slots:
            slots *= 2
        if slots > len(self._slots):
            self._enlarge_slots(slots)
        else:
            numbers = np.arange(first, len(self), dtype=np.int32)
            _enter(np.frombuffer(self._slots, np.int32), numbers, hashes)

    def _enlarge_slots(self, size: int) -> None:
        """Enters all numbers in so many slots."""
        slots = np.full(size, _EMPTY, np.int32)
        numbers = np.arange(len(self), dtype=np.int32)
        _enter(slots, numbers, np.frombuffer(self._hashes, _HASH))
        self._slots = array("i", slots.tobytes())


def _parted(text: bytes, ends: Iterable[int]) -> Iterator[str]:
    """The words of a text; each ends where the next begins."""
    return (text[start:end].decode(_ENCODING, _ERRORS) for start, end in pairwise(ends))


def _hashes_of(words: Sequence[str]) -> Hashes:
    return np.fromiter(map(hash, words), np.int64, len(words)).astype(_HASH)


def _steps(hashes: Hashes) -> Hashes:
    """How many slots on the next one for each word is; odd, so that all come in turn."""
    return (hashes >> _HASH(_STEP_SHIFT)) | _HASH(1)


def _enter(slots: Ints, numbers: Ints, hashes: Hashes) -> None:
    """Enters numbers, each into the first empty slot from that of its hash on, all at a time."""
    last = _HASH(len(slots) - 1)
    at = hashes & last
    while numbers.size:
        is_empty = slots[at] == _EMPTY
        slots[at[is_empty]] = numbers[is_empty]  # of several for a slot, the last
        is_left = slots[at] != numbers
        numbers, at, hashes = numbers[is_left], at[is_left], hashes[is_left]
        at = (at + _steps(hashes)) & last
