"""Reads import files as streams, and reports the position of damage."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import DecompressingBufferedReader
from warcio.exceptions import ArchiveLoadFailed
from zstandard import ZstdError

from apps.engine.errors import BadLine, BadWebFile
from apps.engine.file_faults import fault_words
from apps.engine.networking.web_import.archive_files import archive_streams
from apps.engine.networking.web_import.opening import opened

Progress = Callable[[int, int], object]
"""Called with the bytes read and the total, both of the file as stored on disk."""

LONGEST_LINE = 64 * 2**20
LARGEST_HEAD = 2**20
LARGEST_CHUNK = 64 * 2**20
_REPORT_EVERY = 100
# warcio raises these for a record that ends within its headers.
_DAMAGED = (EOFError, zlib.error, ZstdError, ArchiveLoadFailed, AttributeError, ValueError)


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
    """Yields the records of a WARC, ARC or WACZ file or of those in a zip, numbered from 1.

    Raises BadLine if the file breaks off after some records, BadWebFile if it cannot be read.
    """
    number, record = 0, None
    try:
        with path.open("rb") as raw:
            size = path.stat().st_size
            for stream in archive_streams(raw):
                archive = ArchiveIterator(stream, arc2warc=True)
                archive.reader = reader = _Bounded(stream)
                for record in archive:
                    number += 1
                    reader.head = 0
                    if progress and number % _REPORT_EVERY == 0:
                        progress(raw.tell(), size)
                    yield number, record
                if record is not None and getattr(record.raw_stream, "limit", 0) > 0:
                    raise BadLine(f"record {number:,} breaks off before its end", line=number)
        if progress:
            progress(size, size)
    except (OSError, zipfile.BadZipFile, *_DAMAGED) as error:
        words = f"{path.name} cannot be read after record {number:,}: {fault_words(error)}"
        raise (BadLine if number else BadWebFile)(words, line=number) from None


class _Bounded(DecompressingBufferedReader):  # type: ignore[misc]
    """warcio's reader with limits: it would read a header or a chunk of any size into memory, even
    if some kB inflate to gigabytes. `head` counts the header bytes of the current record."""

    head = 0

    def readline(self, length: int | None = None) -> bytes:
        most = min(length or LARGEST_HEAD, LARGEST_HEAD)
        line: bytes = super().readline(most)
        # warcio may end a line at the border of a block.
        while line and len(line) < most and not line.endswith(b"\n"):
            if not (more := super().readline(most - len(line))):
                break
            line += more
        self.head += len(line)
        if self.head >= LARGEST_HEAD:
            raise BadWebFile(f"a record has headers of more than {LARGEST_HEAD >> 20} MB")
        return line

    def read(self, length: int | None = None) -> bytes:
        if length is None or length > LARGEST_CHUNK:
            raise BadWebFile(f"a record has a chunk of more than {LARGEST_CHUNK >> 20} MB")
        piece: bytes = super().read(length)
        return piece
