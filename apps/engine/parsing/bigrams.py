"""The words of pages in scripts without spaces, as numbers of a lexicon.

Such a page has a bigram for each character: to make a string of each, and to look each string up,
takes longer than all else that is done with it. Here the two characters of a bigram are one number,
by which its word is looked up for all bigrams of a page at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import local

import numpy as np
from numpy.typing import NDArray

from apps.engine.model import Ints
from apps.engine.numbered_words import Lexicon

LONGEST = 100_000
"""The most characters of a text that is read so."""
MOST_WORDS = 200_000
"""With more words before a page a new lexicon begins. Its slots are enough for another page."""
_SLOTS = 1 << 19
_SHIFT, _FACTOR = np.uint64(64 - 19), np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(32)
Keys = NDArray[np.uint64]


class BigramLexicon(Lexicon):
    """The words of pages by number, of which bigrams are looked up by their characters.

    A hash table with open addressing (Knuth, TAOCP 3, §6.4, algorithm L) has the bigrams' numbers,
    a dictionary those of other words; a word that is looked up in both ways has two.
    """

    def __init__(self) -> None:
        super().__init__()
        self._keys: Keys = np.zeros(_SLOTS, np.uint64)  # 0: no bigram
        self._of_slots = np.zeros(_SLOTS, np.int32)
        self._of_words: dict[str, int] = {}

    def numbers_of(self, words: Sequence[str]) -> Ints:
        """The number of each word; new ones are added."""
        numbers = self._of_words
        for word in words:
            if word not in numbers:
                numbers[word] = len(self)
                self.append(word)
        return np.fromiter(map(numbers.__getitem__, words), np.int32, len(words))

    def numbers_of_bigrams(self, first: NDArray[np.uint32], second: NDArray[np.uint32]) -> Ints:
        """The number of each bigram of these characters; of a single one if its second is 0. New
        ones are added."""
        keys = (first.astype(np.uint64) << _FIRST) | second
        slots = self._slots(keys)
        is_new = self._keys.take(slots) == 0
        if is_new.any():
            self._add(np.unique(keys[is_new]))
            slots[is_new] = self._slots(keys[is_new])
        return self._of_slots.take(slots)

    def _slots(self, keys: Keys) -> NDArray[np.int64]:
        """The slot that has each key, or else the empty one for it."""
        slots = ((keys * _FACTOR) >> _SHIFT).astype(np.int64)
        held = self._keys.take(slots)
        others = np.flatnonzero(held != keys)
        others = others[held[others] != 0]
        while others.size:
            slots[others] = (slots[others] + 1) & (_SLOTS - 1)
            held = self._keys[slots[others]]
            others = others[(held != keys[others]) & (held != 0)]
        return slots

    def _add(self, keys: Keys) -> None:
        """Adds bigrams that are distinct and new."""
        numbers = np.arange(len(self), len(self) + len(keys), dtype=np.int32)
        self += _words(keys)
        while keys.size:
            slots = self._slots(keys)
            self._keys[slots] = keys  # of several for a slot, the last
            is_entered = self._keys[slots] == keys
            self._of_slots[slots[is_entered]] = numbers[is_entered]
            keys, numbers = keys[~is_entered], numbers[~is_entered]


def _words(keys: Keys) -> list[str]:
    codes = np.empty((len(keys), 2), np.uint32)
    codes[:, 0], codes[:, 1] = keys >> _FIRST, keys & np.uint64(0xFFFFFFFF)
    text = codes.tobytes().decode("utf-32-le", "surrogatepass")
    return [text[i : i + 2].rstrip("\0") for i in range(0, len(text), 2)]


_of_thread = local()


def bigram_lexicon() -> BigramLexicon:
    """This thread's lexicon for a page. One that has grown too large is left to the pages that
    have it."""
    lexicon: BigramLexicon | None = getattr(_of_thread, "lexicon", None)
    if lexicon is None or len(lexicon) > MOST_WORDS:
        lexicon = _of_thread.lexicon = BigramLexicon()
    return lexicon
