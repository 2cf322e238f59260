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


Blob = bytes | memoryview
"""The value of a BinaryField, which depends on the database."""


def unpack_numbers(blob: Blob) -> np.ndarray:
    """The URL numbers in `Outlinks.targets`."""
    return np.frombuffer(zlib.decompress(bytes(blob)), dtype="<i4")


def holds(number: int, blob: Blob) -> bool:
    """Whether a row of `Outlinks.targets` has this URL number."""
    data = zlib.decompress(bytes(blob))
    # Most have its bytes nowhere, and need no array.
    return number.to_bytes(4, "little") in data and number in np.frombuffer(data, dtype="<i4")


def unpack_those_with(number: int, blobs: Iterable[Blob]) -> Iterator[np.ndarray]:
    """The URL numbers of those rows of `Outlinks.targets` that have this one."""
    return (unpack_numbers(blob) for blob in blobs if holds(number, blob))


def compress(data: bytes) -> bytes:
    """Zlib data."""
    return isal_zlib.compress(data, 1)
