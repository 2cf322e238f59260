"""Reads import files as streams, and reports where a file is damaged."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import DecompressingBufferedReader
from warcio.exceptions import ArchiveLoadFailed

from apps.engine.errors import BadWebFile
from apps.engine.file_faults import fault_words

Progress = Callable[[int, int], None]
"""Called with the bytes read and the total, both of the file as stored on disk."""

LONGEST_LINE = 64 * 2**20
LARGEST_HEAD = 2**20
LARGEST_CHUNK = 64 * 2**20
_REPORT_EVERY = 100
_GZIP = b"\x1f\x8b"
# warcio raises these for a record that ends within its headers.
_DAMAGED = (EOFError, zlib.error, ArchiveLoadFailed, AttributeError, ValueError)


@contextmanager
def opened(path: Path) -> Iterator[tuple[IO[bytes], Callable[[], tuple[int, int]]]]:
    """Opens a plain or gzipped file; yields a stream of its content and a counter of bytes read."""
    with path.open("rb") as raw:
        size = path.stat().st_size
        packed = raw.read(2) == _GZIP
        raw.seek(0)
        stream = cast(IO[bytes], gzip.GzipFile(fileobj=raw)) if packed else raw
        yield stream, lambda: (raw.tell(), size)


def lines(path: Path, progress: Progress | None) -> Iterator[tuple[int, bytes]]:
    """Yields the lines of a file, numbered from 1. Raises BadWebFile with the line number."""
    line = 0
    try:
        with opened(path) as (stream, position):
            for line, text in enumerate(iter(lambda: stream.readline(LONGEST_LINE + 1), b""), 1):
                if len(text) > LONGEST_LINE:
                    raise BadWebFile(
                        f"line {line} is longer than {LONGEST_LINE >> 20} MB", line=line
                    )
                if progress and line % _REPORT_EVERY == 0:
                    progress(*position())
                yield line, text
            if progress:
                progress(*position())
    except (OSError, EOFError, zlib.error) as error:
        raise BadWebFile(
            f"{path.name} cannot be read after line {line:,}: {fault_words(error)}", line=line
        ) from None


def records(path: Path, progress: Progress | None) -> Iterator[tuple[int, Any]]:
    """Yields the records of a WARC or WACZ file, numbered from 1. Raises BadWebFile."""
    number = 0
    try:
        with path.open("rb") as raw:
            size = path.stat().st_size
            for stream in _warc_streams(raw):
                archive = ArchiveIterator(stream)
                archive.reader = reader = _Bounded(stream)
                for record in archive:
                    number += 1
                    reader.head = 0
                    if progress and number % _REPORT_EVERY == 0:
                        progress(raw.tell(), size)
                    yield number, record
        if progress:
            progress(size, size)
    except (OSError, zipfile.BadZipFile, *_DAMAGED) as error:
        raise BadWebFile(
            f"{path.name} cannot be read after record {number:,}: {fault_words(error)}", line=number
        ) from None


def _warc_streams(raw: IO[bytes]) -> Iterator[IO[bytes]]:
    """Yields the WARC file itself, or those of a WACZ package."""
    if not zipfile.is_zipfile(raw):
        raw.seek(0)
        yield raw
        return
    with zipfile.ZipFile(raw) as package:
        for name in sorted(package.namelist()):
            if name.startswith("archive/") and name.endswith((".warc", ".warc.gz")):
                with package.open(name) as stream:
                    yield stream


class _Bounded(DecompressingBufferedReader):  # type: ignore[misc]
    """warcio's reader with limits: it would read a header or a chunk of any size into memory, even
    if some kB inflate to gigabytes. `head` counts the header bytes of the current record."""

    head = 0

    def readline(self, length: int | None = None) -> bytes:
        line: bytes = super().readline(min(length or LARGEST_HEAD, LARGEST_HEAD))
        self.head += len(line)
        if self.head >= LARGEST_HEAD:
            raise BadWebFile(f"a record has headers of more than {LARGEST_HEAD >> 20} MB")
        return line

    def read(self, length: int | None = None) -> bytes:
        if length is None or length > LARGEST_CHUNK:
            raise BadWebFile(f"a record has a chunk of more than {LARGEST_CHUNK >> 20} MB")
        piece: bytes = super().read(length)
        return piece
