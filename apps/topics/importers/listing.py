"""What a directory's file gives: pages that somebody put under a category."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from apps.engine.networking.web_files import opened

Progress = Callable[[int, int], None]
"""Called with bytes read and bytes in all (of the file as it lies on the disk)."""

REPORT_EVERY = 2_000
_TOP = "Top"


@dataclass(frozen=True, slots=True)
class Listed:
    """A page under a category; `url` is empty where the file only names the category.

    `category` is a path such as `Arts/Animation`, without the directory's own root; the root
    itself is the empty path. `url` is as it stands in the file.
    """

    category: str
    url: str
    title: str = ""
    description: str = ""


class BadDirectoryFile(Exception):
    """A directory's file that cannot be read; says how far it came and what to do."""


def read_directory(path: Path, progress: Progress | None = None) -> Iterator[Listed]:
    """The pages of an ODP dump or of a CSV or TSV file, plain or gzipped, as a stream.

    Which of them it is, the first character says. Raises BadDirectoryFile.
    """
    from apps.topics.importers.csv import read_csv
    from apps.topics.importers.odp import read_odp

    try:
        with opened(path) as (stream, _):
            start = stream.read(4_096).removeprefix(b"\xef\xbb\xbf").lstrip()
    except (OSError, EOFError, zlib.error) as error:
        raise BadDirectoryFile(f"{path.name} cannot be read: {error}.") from None
    if not start:
        raise BadDirectoryFile(f"{path.name} is empty.")
    return (read_odp if start.startswith(b"<") else read_csv)(path, progress)


def category_path(text: str) -> str:
    """A category's path without the root `Top`, empty parts and white space round names."""
    parts = [part.strip() for part in text.split("/")]
    parts = [part for part in parts if part]
    return "/".join(parts[1:] if parts[:1] == [_TOP] else parts)
