"""How much two texts resemble each other, from a small sketch of each.

Resemblance is the share of common shingles of three words among all of two texts (Broder 1997),
estimated by the share of equal minima under 128 hash functions, to some ±.04. Measured on made
texts of 60 to 1,000 words: with 1 % of the words changed it is .90 to .97, with 5 % .72 to .84,
with 20 % .26 to .47, and 0 for unlike texts. From `NEAR` on two pages count as near-duplicates:
that groups 3 of 2,067 pages of WebKB, and 169 of 3,003 pages of documentation, most of them
filled-in templates.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from apps.engine.digests import digest

NEAR = 0.65
LOOSELY_NEAR = 0.2
"""The least resemblance of two versions of a page if one names the other as canonical."""
FEW_WORDS = 50
"""Pages of fewer words must be identical: short pages differ in a few words only."""
BANDS, ROWS = 10, 4
"""Texts whose sketches agree in all rows of a band are compared: 98 % of the pairs with a
resemblance of .75, 8 % of those with .3."""
_SIZE = 128
_SHINGLES_AT_ONCE = 2048
_MEMO_LIMIT = 200_000
_MIX = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)
Sketch = NDArray[np.uint32]


def _numbers(name: str) -> NDArray[np.uint64]:
    """An odd 64-bit number for each hash function."""
    texts = (f"{name} {i}" for i in range(_SIZE))
    return np.array([digest(text) & 0xFFFF_FFFF_FFFF_FFFF | 1 for text in texts], np.uint64)


_FACTORS, _TERMS = _numbers("factor"), _numbers("term")


class _Hashes(dict[str, int]):
    """Word → 64-bit hash; emptied when it grows too large."""

    def __missing__(self, word: str) -> int:
        if len(self) >= _MEMO_LIMIT:
            self.clear()
        value = self[word] = digest(word) & 0xFFFF_FFFF_FFFF_FFFF
        return value


_hashes = _Hashes()


def sketch(words: Sequence[str]) -> Sketch:
    """The minima of 128 hash functions over the text's shingles; all ones without words."""
    minima = np.full(_SIZE, 0xFFFF_FFFF, np.uint32)
    shingles = _shingles(words)
    with np.errstate(over="ignore"):
        for begin in range(0, len(shingles), _SHINGLES_AT_ONCE):
            some = shingles[begin : begin + _SHINGLES_AT_ONCE, None]
            hashed = ((some * _FACTORS + _TERMS) >> np.uint64(32)).astype(np.uint32)
            minima = np.minimum(minima, hashed.min(axis=0))
    return minima


def _shingles(words: Sequence[str]) -> NDArray[np.uint64]:
    """64 bits for each distinct run of three words, or for all of a shorter text."""
    if not words:
        return np.empty(0, np.uint64)
    each = np.fromiter(map(_hashes.__getitem__, words), np.uint64, len(words))
    width = min(len(_MIX), len(each))
    shingles = np.zeros(len(each) - width + 1, np.uint64)
    with np.errstate(over="ignore"):
        for shift in range(width):
            shingles = (shingles ^ each[shift : shift + len(shingles)]) * _MIX[shift]
            shingles ^= shingles >> np.uint64(29)
    return np.unique(shingles)


def resemblance(one: Sketch, other: Sketch) -> float:
    """The estimated share of common shingles, from 0 to 1."""
    return float(np.mean(one == other))


def bands(one: Sketch) -> list[int]:
    """A 31-bit hash of each band of a sketch."""
    rows = one[: BANDS * ROWS].reshape(BANDS, ROWS)
    return [digest(row.tobytes().hex()) & 0x7FFF_FFFF for row in rows]


def are_near(one: Sketch, one_words: int, other: Sketch, other_words: int) -> bool:
    """Whether two texts are near-duplicates. Short texts must have the same words; empty ones never
    are."""
    if min(one_words, other_words) < FEW_WORDS:
        return one_words == other_words > 0 and bool((one == other).all())
    return resemblance(one, other) >= NEAR
