"""Splits text into lower-case words, and scripts without spaces into bigrams.

A word is a run of Unicode word characters except the underscore, including vowel signs and accents.
Runs of Han, Kana and Thai become bigrams, each a word; a run of one character is one word. Text in
ASCII, or with Western Europe's letters and the punctuation of printed text, is split by a faster
table look-up.
"""

from __future__ import annotations

import sys
import unicodedata
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from apps.engine.model import Ints

Kinds = NDArray[np.uint8]
_BETWEEN, _LETTER, _UNSPACED, _UNSEEN = 0, 1, 2, 255

_UNSPACED_RANGES = (
    "\u3005\u3005\u3007\u3007\u3041\u3096\u309d\u309f\u30a1\u30fa\u30fc\u30ff\u31f0\u31ff"
    "\u3400\u4dbf\u4e00\u9fff\uf900\ufaff\uff66\uff9f\u0e01\u0e3a\u0e40\u0e4e"
)
_FIRST_ASTRAL_HAN = 0x20000
_ASCII, _WESTERN = "ascii", "cp1252"


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


def _of_any_script(text: str) -> tuple[list[str], Ints, Ints]:
    kinds = _kinds(text)
    if not (kinds == _UNSPACED).any():
        starts, ends = _runs(kinds == _LETTER)
        return _between_spaces(text, kinds), starts, ends
    starts, ends = _with_bigrams(kinds)
    pieces = zip(starts.tolist(), ends.tolist(), strict=True)
    return [text[start:end].lower() for start, end in pieces], starts, ends


def _fold(text: str) -> bytes | None:
    """The text in lower case with spaces for all but letters and digits, one byte a character; None
    if it has a character that the Western European codec lacks."""
    try:
        return text.encode(_ASCII if text.isascii() else _WESTERN).translate(_FOLDED)
    except UnicodeEncodeError:
        return None


def _split(folded: bytes) -> list[str]:
    return folded.decode(_ASCII if folded.isascii() else _WESTERN).split()


def _between_spaces(text: str, kinds: Kinds) -> list[str]:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    spaced = np.where(kinds == _BETWEEN, np.uint32(ord(" ")), codes)
    return spaced.tobytes().decode("utf-32-le", "surrogatepass").lower().split()


def _runs(inside: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    padded = np.zeros(len(inside) + 2, np.bool_)
    padded[1:-1] = inside
    borders = (padded[1:] != padded[:-1]).nonzero()[0].astype(np.int32)
    return borders[::2], borders[1::2]


def _with_bigrams(kinds: Kinds) -> tuple[Ints, Ints]:
    """The runs of letters, and the bigrams of runs in scripts without spaces."""
    starts, ends = _runs(kinds == _LETTER)
    run_starts, run_ends = _runs(kinds == _UNSPACED)
    lone = run_ends - run_starts == 1
    pairs = np.flatnonzero((kinds[:-1] == _UNSPACED) & (kinds[1:] == _UNSPACED)).astype(np.int32)
    all_starts = np.concatenate((starts, run_starts[lone], pairs))
    all_ends = np.concatenate((ends, run_ends[lone], pairs + 2))
    order = np.argsort(all_starts, kind="stable")
    return all_starts[order].astype(np.int32), all_ends[order].astype(np.int32)


def _kinds(text: str) -> Kinds:
    """The kind of each character: between words, in a word, or in a script without spaces."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    table = _kinds_seen()
    kinds: Kinds = table[codes]
    if (kinds == _UNSEEN).any():
        new = np.unique(codes[kinds == _UNSEEN])
        table[new] = [_kind(code) for code in new.tolist()]
        kinds = table[codes]
    return kinds


@lru_cache(maxsize=1)
def _kinds_seen() -> Kinds:
    """The kinds of all characters; those not yet met in a text are unseen, but for the scripts
    without spaces."""
    kinds: Kinds = np.full(sys.maxunicode + 1, _UNSEEN, np.uint8)
    for first, last in zip(_UNSPACED_RANGES[::2], _UNSPACED_RANGES[1::2], strict=True):
        kinds[ord(first) : ord(last) + 1] = _UNSPACED
    return kinds


def _kind(code: int) -> int:
    character = chr(code)
    if character.isalnum():
        return _UNSPACED if code >= _FIRST_ASTRAL_HAN else _LETTER
    return _LETTER if unicodedata.category(character) in ("Mn", "Mc") else _BETWEEN


def _fold_byte(byte: bytes) -> bytes:
    character = byte.decode(_WESTERN, "ignore")
    return character.lower().encode(_WESTERN) if character.isalnum() else b" "


_FOLDED = b"".join(_fold_byte(bytes([code])) for code in range(256))
