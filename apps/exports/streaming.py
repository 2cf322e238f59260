"""Files streamed while they are made."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import IO

from asgiref.sync import sync_to_async

PIECE = 64 * 1024


def pieces(data: Iterator[bytes], size: int = PIECE) -> Iterator[bytes]:
    """The same bytes in pieces of about `size`."""
    waiting: list[bytes] = []
    length = 0
    for part in data:
        waiting.append(part)
        length += len(part)
        if length >= size:
            yield b"".join(waiting)
            waiting, length = [], 0
    if waiting:
        yield b"".join(waiting)


def written_pieces(file: IO[bytes]) -> Iterator[bytes]:
    """All that was written to a file, from its beginning."""
    file.seek(0)
    while piece := file.read(PIECE):
        yield piece


def file_pieces(path: Path) -> Iterator[bytes]:
    """A file's bytes; it is opened with the first piece."""
    with path.open("rb") as file:
        yield from written_pieces(file)


async def in_threads(data: Iterator[bytes]) -> AsyncIterator[bytes]:
    """The pieces, made in threads as they are sent; Django would collect a plain iterator first."""
    following = sync_to_async(lambda: next(data, None))
    while (piece := await following()) is not None:
        yield piece
