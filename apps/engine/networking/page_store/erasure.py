"""Erasing single records of a page store: the others stay where they are."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterable
from pathlib import Path

_RECORD = (
    b"WARC/1.1\r\nWARC-Type: metadata\r\n"
    b"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\n"
    b"WARC-Date: 1970-01-01T00:00:00Z\r\nContent-Type: text/plain\r\n"
    b"Content-Length: 0\r\n\r\n\r\n\r\n"
)
_HEAD = b"\x1f\x8b\x08\x08\0\0\0\0\0\xff"
"""A gzip head that announces a file name."""


def empty_record(length: int) -> bytes:
    """A gzip member of so many bytes that holds an empty WARC record, or nothing where there is no
    room for one. Raises ValueError below 21 bytes."""
    for content in (_RECORD, b""):
        deflating = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        data = deflating.compress(content) + deflating.flush()
        tail = data + struct.pack("<II", zlib.crc32(content), len(content))
        room = length - len(_HEAD) - 1 - len(tail)
        if room >= 0:
            return _HEAD + b"x" * room + b"\0" + tail
    raise ValueError(f"no gzip member has {length} bytes")


def erase_records(path: Path, spans: Iterable[tuple[int, int]]) -> None:
    """Overwrites byte ranges (offset, length) of a file of the store, each a whole record, with
    empty ones, durably. May be done again. Raises OSError."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        for offset, length in spans:
            data = empty_record(length)
            while data:
                written = os.pwrite(descriptor, data, offset)
                data, offset = data[written:], offset + written
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
