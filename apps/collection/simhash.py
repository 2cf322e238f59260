"""Fingerprints of texts: near-duplicates differ in a few bits (Charikar 2002; Manku, Jain & Das
Sarma, WWW 2007, who find 3 of 64 bits right for the Web)."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

NEAR = 3
LOOSELY_NEAR = 16
"""Bits in which two versions of a page that names the other as canonical may differ; unrelated
texts differ in some 32."""
FEW_WORDS = 20
_MEMO_LIMIT = 200_000
_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)


def digest(text: str) -> int:
    """A 64-bit number of a text, signed as databases keep it."""
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(),
                          "big", signed=True)


class _Hashes(dict[str, int]):
    """Word → 64 bits; emptied when it grows too large."""

    def __missing__(self, word: str) -> int:
        if len(self) >= _MEMO_LIMIT:
            self.clear()
        value = self[word] = digest(word) & 0xFFFF_FFFF_FFFF_FFFF
        return value


_hashes = _Hashes()


def simhash(words: Sequence[str]) -> int:
    """The simhash of the shingles of three words, signed; 0 where there are no words."""
    if not words:
        return 0
    each = np.fromiter(map(_hashes.__getitem__, words), np.uint64, len(words))
    width = min(3, len(each))
    shingles = np.zeros(len(each) - width + 1, np.uint64)
    with np.errstate(over="ignore"):
        for place in range(width):
            shingles = (shingles ^ each[place : place + len(shingles)]) * _FACTORS[place]
            shingles ^= shingles >> np.uint64(29)
    shingles = np.unique(shingles)
    bits = np.unpackbits(shingles.astype(">u8").view(np.uint8).reshape(-1, 8), axis=1)
    majority = bits.sum(axis=0, dtype=np.int64) * 2 > len(shingles)
    return int.from_bytes(np.packbits(majority).tobytes(), "big", signed=True)


def distance(one: int, other: int) -> int:
    """In how many of the 64 bits two fingerprints differ."""
    return ((one ^ other) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()


def bands(fingerprint: int) -> tuple[int, int, int, int]:
    """Four times 16 bits: whoever differs in at most three bits shares one of them."""
    bits = fingerprint & 0xFFFF_FFFF_FFFF_FFFF
    return (bits >> 48, bits >> 32 & 0xFFFF, bits >> 16 & 0xFFFF, bits & 0xFFFF)


def are_near(one: int, one_words: int, other: int, other_words: int) -> bool:
    """Whether two texts say the same. Of short texts every word counts, without words none."""
    if min(one_words, other_words) < FEW_WORDS:
        return one == other and one_words == other_words > 0
    alike = 0.8 <= one_words / other_words <= 1.25
    return alike and distance(one, other) <= NEAR
