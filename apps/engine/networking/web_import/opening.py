"""Opens a plain or gzipped file as a stream."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

_GZIP = b"\x1f\x8b"


@contextmanager
def opened(path: Path) -> Iterator[tuple[IO[bytes], Callable[[], tuple[int, int]]]]:
    """Opens a plain or gzipped file; yields a stream of its content and a counter of bytes read."""
    with path.open("rb") as raw:
        size = path.stat().st_size
        packed = raw.read(2) == _GZIP
        raw.seek(0)
        stream = cast(IO[bytes], gzip.GzipFile(fileobj=raw)) if packed else raw
        yield stream, lambda: (raw.tell(), size)
