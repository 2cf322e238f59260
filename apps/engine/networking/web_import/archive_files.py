"""Web archives as streams of WARC or ARC records, however they are packed.

A file may be plain, gzipped (a member a record, or one for all) or zstd with or without a
dictionary; it may lie in a zip or WACZ, which may hold others.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, cast

import zstandard
from isal import isal_zlib

from apps.engine.errors import BadWebFile

GZIP, ZSTD, DICTIONARY = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18"
ARCHIVES = tuple(
    f".{kind}{packed}"
    for kind in ("warc", "arc", "warc.wet", "warc.wat", "wet")
    for packed in ("", ".gz", ".zst")
)
PACKAGES = (".wacz", ".zip")
DAMAGED = (EOFError, OSError, zlib.error, zstandard.ZstdError)
"""What a stream of a torn file raises."""
MOST_ENTRIES = 200_000
MOST_UNPACKED = 200 * 2**30
LARGEST_DICTIONARY = 16 * 2**20
ZSTD_WINDOW = 2**27
DEEPEST = 2
_PIECE = 256 * 1024


def archive_streams(raw: IO[bytes], depth: int = 0) -> Iterator[IO[bytes]]:
    """The streams of records in an opened file, unpacked, one after another.

    Raises BadWebFile for more entries or bytes than the limits, and what the unpackers raise.
    """
    if not zipfile.is_zipfile(raw):
        raw.seek(0)
        with unpack_stream(raw) as stream:
            yield stream
        return
    with zipfile.ZipFile(raw) as package:
        for entry in entries(package):
            name = entry.filename.lower()
            if name.endswith(ARCHIVES):
                with package.open(entry) as file, unpack_stream(file) as stream:
                    yield stream
            elif name.endswith(PACKAGES) and depth < DEEPEST:
                with package.open(entry) as file, tempfile.TemporaryFile() as copy:
                    _copy(file, copy)
                    yield from archive_streams(cast(IO[bytes], copy), depth + 1)


def entries(package: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The files of a zip by name. Raises BadWebFile if there are too many, or if they unpack to too
    much or need a password."""
    files = [entry for entry in package.infolist() if not entry.is_dir()]
    if len(files) > MOST_ENTRIES:
        raise BadWebFile(f"the zip has more than {MOST_ENTRIES:,} files: split it")
    if sum(entry.file_size for entry in files) > MOST_UNPACKED:
        raise BadWebFile(f"the zip unpacks to more than {MOST_UNPACKED >> 30} GB: split it")
    if any(entry.flag_bits & 1 for entry in files):
        raise BadWebFile("the zip needs a password: pack it again without one")
    return sorted(files, key=lambda entry: entry.filename)


@contextmanager
def unpack_stream(raw: Any) -> Iterator[IO[bytes]]:
    """A stream of the content of a plain, gzipped or zstd file that begins where `raw` stands."""
    stream = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(raw, _PIECE)
    head = stream.peek(4)[:4]
    if head.startswith(GZIP):
        yield cast(IO[bytes], _Pieces(_gunzip(stream)))
    elif head in (ZSTD, DICTIONARY):
        reader = _zstd(stream, head == DICTIONARY).stream_reader(stream, read_across_frames=True)
        yield cast(IO[bytes], _Pieces(_limited(reader)))
    else:
        yield cast(IO[bytes], stream)


class _Pieces(io.RawIOBase):
    """Pieces of bytes as a stream. A read returns at most one of them: a buffer that read on would
    lose it if the next one is damaged."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._rest:
            self._rest = memoryview(next(self._pieces, b""))
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size


def _gunzip(raw: IO[bytes]) -> Iterator[bytes]:
    """The content of all gzip members; whatever follows the last one is passed over, as gzip does.

    Raises zlib.error if a member is damaged or cut.
    """
    decoder, data, size = isal_zlib.decompressobj(31), raw.read(_PIECE), 0
    while True:
        piece = decoder.decompress(data, _PIECE)
        size = _within_limit(size + len(piece))
        if piece:
            yield piece
        if decoder.eof:
            data = (decoder.unused_data or raw.read(_PIECE)).lstrip(b"\0")
            data += raw.read(_PIECE) if len(data) < 2 else b""
            if not data.startswith(GZIP):
                return
            decoder = isal_zlib.decompressobj(31)
            continue
        data = decoder.unconsumed_tail or raw.read(_PIECE)
        if not data and len(piece) < _PIECE:
            raise zlib.error("ends within a member")  # EOFError would be an end to warcio


def _zstd(raw: IO[bytes], has_dictionary: bool) -> zstandard.ZstdDecompressor:
    """The decoder of a file; a `.warc.zst` may begin with its dictionary in a frame to skip."""
    if not has_dictionary:
        return zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW)
    raw.read(4)
    size = int.from_bytes(raw.read(4), "little")
    if size > LARGEST_DICTIONARY:
        raise BadWebFile("its zstd dictionary is damaged")
    data = raw.read(size)
    if data.startswith(ZSTD):
        data = zstandard.ZstdDecompressor().decompress(data, max_output_size=LARGEST_DICTIONARY)
    dictionary = zstandard.ZstdCompressionDict(data)
    return zstandard.ZstdDecompressor(dict_data=dictionary, max_window_size=ZSTD_WINDOW)


def _limited(stream: Any) -> Iterator[bytes]:
    size = 0
    while piece := stream.read(_PIECE):
        size = _within_limit(size + len(piece))
        yield piece


def _within_limit(size: int) -> int:
    if size > MOST_UNPACKED:
        raise BadWebFile(f"a file unpacks to more than {MOST_UNPACKED >> 30} GB: split it")
    return size


def _copy(file: IO[bytes], copy: Any) -> None:
    for piece in _limited(file):
        copy.write(piece)
    copy.seek(0)
