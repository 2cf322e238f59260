"""Splits text into lower-case words, and scripts without spaces into bigrams.

A word is a run of Unicode word characters except the underscore, including vowel signs and accents.
Runs of Han, Kana and Thai become bigrams, each a word; a run of one character is one word. Text in
ASCII, or with Western Europe's letters and the punctuation of printed text, is split by a faster
table look-up. The bigrams of a page are read as numbers of a lexicon (`bigrams`), since there are
twice as many as words in other scripts, most of them met before.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apps.engine.model import Ints
from apps.engine.numbered_words import NumberedWords
from apps.engine.parsing.bigrams import LONGEST, BigramLexicon, bigram_lexicon

Kinds = NDArray[np.uint8]
Codes = NDArray[np.uint32]
_SPACE = np.uint32(ord(" "))
_BETWEEN, _LETTER, _UNSPACED, _DIGIT, _UNSEEN = 0, 1, 2, 3, 255

_UNSPACED_RANGES = (
    "\u3005\u3005\u3007\u3007\u3041\u3096\u309d\u309f\u30a1\u30fa\u30fc\u30ff\u31f0\u31ff"
    "\u3400\u4dbf\u4e00\u9fff\uf900\ufaff\uff66\uff9f\u0e01\u0e3a\u0e40\u0e4e"
)
_FIRST_ASTRAL_HAN = 0x20000
_ASCII, _WESTERN = "ascii", "cp1252"
_UTF_32 = "utf-32-le"


def words(text: str) -> list[str]:
    """The words of a text, in order."""
    folded = _fold(text)
    return _of_any_script(text)[0] if folded is None else _split(folded)


def words_and_spans(text: str) -> tuple[list[str], Ints, Ints]:
    """The words of a text, with the start and end of each in characters."""
    folded = _fold(text)
    if folded is None:
        return _of_any_script(text)
    return _split(folded), *_folded_runs(folded)


def word_spans(text: str) -> tuple[Ints, Ints]:
    """The start and end of each word of a text in characters, without the words."""
    folded = _fold(text)
    return _read_characters(text).spans() if folded is None else _folded_runs(folded)


def words_of_each(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    """The words of several texts, one after another, and the number of each text's words."""
    split, starts, _ = words_and_spans("\n".join(texts))
    ends = np.cumsum([len(text) + 1 for text in texts])
    counts: list[int] = np.diff(starts.searchsorted(ends), prepend=0).tolist()
    return split, counts


class TextWords(NamedTuple):
    """The words of a page's text, the first character of each, and how many are `numbers`: of
    digits only."""

    words: Sequence[str]
    starts: Ints
    numbers: int


def page_words(text: str) -> TextWords:
    """The words of a page's text; numbers of a lexicon where some are bigrams."""
    folded = _fold(text)
    if folded is not None:
        split, (starts, _) = _split(folded), _folded_runs(folded)
        is_digit = _DIGITS_FOLDED[np.frombuffer(folded, np.uint8)[starts]]
        return TextWords(split, starts, _count_numbers(split, is_digit))
    characters = _read_characters(text)
    starts, ends = characters.spans()
    is_plain = characters.is_odd or len(text) > LONGEST or not characters.has_bigrams
    cut = characters.split if is_plain else characters.number
    page = cut(starts, ends)
    is_digit = characters.kinds[starts] == _DIGIT
    return TextWords(page, starts, _count_numbers(page, is_digit))


def joined_words(page: Sequence[str], more: Sequence[str]) -> Sequence[str]:
    """The words of a page, as `page_words` has them, and more after them."""
    if not more:
        return page
    if isinstance(page, NumberedWords) and isinstance(page.lexicon, BigramLexicon):
        ids = np.concatenate((page.ids, page.lexicon.numbers_of(more)))
        return NumberedWords(ids, page.lexicon)
    return [*page, *more]


class _Characters(NamedTuple):
    """The characters of a text with their kinds, in lower case and with spaces between words;
    not in lower case yet if some are odd."""

    lowered: Codes
    kinds: Kinds
    is_unspaced: NDArray[np.bool_]
    has_bigrams: bool
    is_odd: bool

    def spans(self) -> tuple[Ints, Ints]:
        """The start and end of each word."""
        return _with_bigrams(self.kinds) if self.has_bigrams else _runs(_is_letter(self.kinds))

    def split(self, starts: Ints, ends: Ints) -> list[str]:
        """The words of these spans, which are all of the text."""
        spaced = _pieces(self.lowered, starts, ends) if self.has_bigrams else self.lowered
        return _split_codes(spaced, self.is_odd)

    def number(self, starts: Ints, ends: Ints) -> NumberedWords:
        """The same as numbers of a lexicon, of a text without odd characters; of scripts without
        spaces a word has one or two of them."""
        lexicon, lowered = bigram_lexicon(), self.lowered
        is_unspaced = self.is_unspaced.take(starts)
        at = np.flatnonzero(is_unspaced)
        second = lowered.take(ends.take(at) - 1)
        second *= (ends - starts).take(at) == 2
        ids = np.empty(len(starts), np.int32)
        ids[at] = lexicon.numbers_of_bigrams(lowered.take(starts.take(at)), second)
        if len(at) < len(starts):
            spaced = np.where(self.is_unspaced, _SPACE, lowered)
            ids[~is_unspaced] = lexicon.numbers_of(_split_codes(spaced, is_odd=False))
        return NumberedWords(ids, lexicon)


def _count_numbers(words: Sequence[str], begins_with_digit: NDArray[np.bool_]) -> int:
    chosen = np.flatnonzero(begins_with_digit)
    if isinstance(words, NumberedWords):
        return sum(map(str.isdigit, NumberedWords(words.ids[chosen], words.lexicon)))
    return sum(words[i].isdigit() for i in chosen.tolist())


def _read_characters(text: str) -> _Characters:
    codes = _codes(text)
    kinds, lowered = _kinds(codes)
    is_odd = not lowered.all()
    if is_odd:
        lowered = np.where(kinds == _BETWEEN, _SPACE, codes)
    is_unspaced = kinds == _UNSPACED
    return _Characters(lowered, kinds, is_unspaced, bool(is_unspaced.any()), is_odd)


def _of_any_script(text: str) -> tuple[list[str], Ints, Ints]:
    characters = _read_characters(text)
    starts, ends = characters.spans()
    return characters.split(starts, ends), starts, ends


def _split_codes(codes: Codes, is_odd: bool) -> list[str]:
    """The words of characters in lower case with spaces between them; if some are odd, they are not
    in lower case yet."""
    spaced = codes.tobytes().decode(_UTF_32, "surrogatepass")
    return (spaced.lower() if is_odd else spaced).split()


def _pieces(codes: Codes, starts: Ints, ends: Ints) -> Codes:
    """The pieces of a text one after another, a space after each."""
    lengths = ends - starts + 1
    following = np.cumsum(lengths)
    at = np.repeat(starts - (following - lengths), lengths) + np.arange(int(lengths.sum()))
    spaced = np.append(codes, _SPACE)[at]
    spaced[following - 1] = _SPACE
    return spaced


def _fold(text: str) -> bytes | None:
    """The text in lower case with spaces for all but letters and digits, one byte a character; None
    if it has a character that the Western European codec lacks."""
    try:
        return text.encode(_ASCII if text.isascii() else _WESTERN).translate(_FOLDED)
    except UnicodeEncodeError:
        return None


def _split(folded: bytes) -> list[str]:
    return folded.decode(_ASCII if folded.isascii() else _WESTERN).split()


def _folded_runs(folded: bytes) -> tuple[Ints, Ints]:
    return _runs(np.frombuffer(folded, np.uint8) != ord(" "))


def _runs(inside: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    padded = np.zeros(len(inside) + 2, np.bool_)
    padded[1:-1] = inside
    borders = (padded[1:] != padded[:-1]).nonzero()[0].astype(np.int32)
    return borders[::2], borders[1::2]


def _with_bigrams(kinds: Kinds) -> tuple[Ints, Ints]:
    """The runs of letters, and the bigrams of runs in scripts without spaces."""
    unspaced = kinds == _UNSPACED
    is_pair, is_lone = unspaced.copy(), unspaced.copy()
    is_pair[:-1] &= unspaced[1:]
    is_pair[-1:] = False
    is_lone[:-1] &= ~unspaced[1:]
    is_lone[1:] &= ~unspaced[:-1]
    run_starts, run_ends = _runs(_is_letter(kinds))
    begins = is_pair | is_lone
    begins[run_starts] = True
    starts = begins.nonzero()[0].astype(np.int32)
    ends = starts + 1 + is_pair[starts]
    ends[~unspaced[starts]] = run_ends
    return starts, ends.astype(np.int32, copy=False)


def _codes(text: str) -> Codes:
    return np.frombuffer(text.encode(_UTF_32, "surrogatepass"), np.uint32)


def _is_letter(kinds: Kinds) -> NDArray[np.bool_]:
    """Which characters are letters or digits of scripts with spaces."""
    return (kinds & _LETTER).view(np.bool_)


def _kinds(codes: Codes) -> tuple[Kinds, Codes]:
    """The kind of each character: between words, a letter or a digit, or in a script without
    spaces; and the character in lower case, a space between words, 0 if it takes more than a look
    at it."""
    table, lower_table = _characters_seen()
    kinds: Kinds = table[codes]
    if (kinds == _UNSEEN).any():
        for code in np.unique(codes[kinds == _UNSEEN]).tolist():
            table[code] = kind = _kind(code)
            lower_table[code] = _SPACE if kind == _BETWEEN else _lower(chr(code))
        kinds = table[codes]
    return kinds, lower_table[codes]


@lru_cache(maxsize=1)
def _characters_seen() -> tuple[Kinds, Codes]:
    """The kinds of all characters, and their lower case; those not yet met in a text are unseen,
    but for the scripts without spaces, which have no case."""
    kinds: Kinds = np.full(sys.maxunicode + 1, _UNSEEN, np.uint8)
    lower: Codes = np.zeros(sys.maxunicode + 1, np.uint32)
    for first, last in zip(_UNSPACED_RANGES[::2], _UNSPACED_RANGES[1::2], strict=True):
        unspaced = slice(ord(first), ord(last) + 1)
        kinds[unspaced] = _UNSPACED
        lower[unspaced] = np.arange(ord(first), ord(last) + 1)
    return kinds, lower


def _lower(character: str) -> int:
    """The code in lower case; 0 for a sigma, which depends on its neighbours, and for what becomes
    two characters."""
    lower = character.lower()
    return 0 if character == "Σ" or len(lower) != 1 else ord(lower)


def _kind(code: int) -> int:
    character = chr(code)
    if character.isdigit():
        return _DIGIT
    if character.isalnum():
        return _UNSPACED if code >= _FIRST_ASTRAL_HAN else _LETTER
    return _LETTER if unicodedata.category(character) in ("Mn", "Mc") else _BETWEEN


def _fold_byte(byte: bytes) -> bytes:
    character = byte.decode(_WESTERN, "ignore")
    return character.lower().encode(_WESTERN) if character.isalnum() else b" "


_FOLDED = b"".join(_fold_byte(bytes([code])) for code in range(256))
_DIGITS_FOLDED = np.array([character.isdigit() for character in _FOLDED.decode(_WESTERN)])
