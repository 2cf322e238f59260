"""Splits text into lower-case words, and scripts without spaces into bigrams.

A word is a run of Unicode word characters except the underscore, including vowel signs and accents.
Runs of Han, Kana and Thai become bigrams, each a word; a run of one character is one word. Text in
ASCII, or with Western Europe's letters and the punctuation of printed text, is split by a faster
table look-up.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from apps.engine.model import Ints

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
    return _split(folded), *_runs(np.frombuffer(folded, np.uint8) != ord(" "))


def words_of_each(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    """The words of several texts, one after another, and the number of each text's words."""
    split, starts, _ = words_and_spans("\n".join(texts))
    ends = np.cumsum([len(text) + 1 for text in texts])
    counts: list[int] = np.diff(starts.searchsorted(ends), prepend=0).tolist()
    return split, counts


def count_numbers(text: str, split: Sequence[str], starts: Ints) -> int:
    """How many words of a text, which start at these characters, are of digits only."""
    kinds, _ = _kinds(_codes(text)[starts])
    return sum(split[i].isdigit() for i in np.flatnonzero(kinds == _DIGIT).tolist())


def _of_any_script(text: str) -> tuple[list[str], Ints, Ints]:
    codes = _codes(text)
    kinds, lowered = _kinds(codes)
    is_odd = not lowered.all()
    if is_odd:
        lowered = np.where(kinds == _BETWEEN, _SPACE, codes)
    if not (kinds == _UNSPACED).any():
        return _split_codes(lowered, is_odd), *_runs(_is_letter(kinds))
    starts, ends = _with_bigrams(kinds)
    return _split_codes(_pieces(lowered, starts, ends), is_odd), starts, ends


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
