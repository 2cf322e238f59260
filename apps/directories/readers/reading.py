"""Reading a directory's file of any format."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

from apps.directories.readers.csv import read_csv
from apps.directories.readers.listing import BadDirectoryFile, Listed, Progress
from apps.directories.readers.odp import read_odp
from apps.engine.file_faults import fault_words
from apps.engine.networking.web_import.opening import opened


def read_directory(path: Path, progress: Progress | None = None) -> Iterator[Listed]:
    """The pages of an ODP dump or of a CSV or TSV file, plain or gzipped, as a stream.

    The first character decides the format. Raises BadDirectoryFile.
    """
    try:
        with opened(path) as (stream, _):
            start = stream.read(4_096).removeprefix(b"\xef\xbb\xbf").lstrip()
    except (OSError, EOFError, zlib.error) as error:
        raise BadDirectoryFile(f"{path.name} cannot be read: {fault_words(error)}.") from None
    if not start:
        raise BadDirectoryFile(f"{path.name} is empty.")
    return (read_odp if start.startswith(b"<") else read_csv)(path, progress)
