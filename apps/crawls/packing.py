"""Compressed numbers and texts for the database."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from isal import isal_zlib


def pack_numbers(numbers: Any) -> bytes:
    """URL numbers in the form of `Outlinks.targets`."""
    return compress(np.asarray(numbers, dtype="<i4").tobytes())


def unpack_numbers(blob: bytes) -> np.ndarray:
    """The URL numbers in `Outlinks.targets`."""
    return np.frombuffer(zlib.decompress(bytes(blob)), dtype="<i4")


def unpack_those_with(number: int, blobs: Iterable[bytes]) -> Iterator[np.ndarray]:
    """The URL numbers of those rows of `Outlinks.targets` that have this one."""
    wanted = number.to_bytes(4, "little")
    for blob in blobs:
        data = zlib.decompress(bytes(blob))
        if wanted not in data:  # most have its bytes nowhere, and need no array
            continue
        numbers = np.frombuffer(data, dtype="<i4")
        if number in numbers:
            yield numbers


def compress(data: bytes) -> bytes:
    """Zlib data."""
    return isal_zlib.compress(data, 1)
