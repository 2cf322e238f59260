"""Numbers and texts as the database keeps them: compressed."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

WINDOW_BITS, MEMORY_LEVEL = 12, 5


def pack_numbers(numbers: Any) -> bytes:
    """URL numbers as they are kept in `Outlinks.targets`."""
    return compress(np.asarray(numbers, dtype="<i4").tobytes())


def unpack_numbers(blob: bytes) -> np.ndarray:
    """The URL numbers in `Outlinks.targets`."""
    return np.frombuffer(zlib.decompress(bytes(blob)), dtype="<i4")


def compress(data: bytes) -> bytes:
    """What `zlib.decompress` takes, made in a quarter of the memory: most of the time of
    compressing a kilobyte goes into getting the usual 256 of them."""
    packer = zlib.compressobj(1, zlib.DEFLATED, WINDOW_BITS, MEMORY_LEVEL)
    return packer.compress(data) + packer.flush()
