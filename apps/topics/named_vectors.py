"""The vectors that an administrator names, read once by each worker, and how they are shown.

The setting names a file, a folder or an installed package; without it those of the extra `vectors`
count where it is installed.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from apps.engine.representation.vectors.installed import (
    WORDLLAMA,
    VectorPackage,
    installed_package,
)
from apps.engine.representation.vectors.reading import read_package, read_vectors
from apps.engine.representation.vectors.word_vectors import WordVectors

NONE = "none"
"""The setting that says that there shall be none."""
_LICENCE = re.compile(r"^licen[sc]e:\s*(.+)$", re.MULTILINE | re.IGNORECASE)
_MOST_HEAD = 4_000
BLOCKS, BLOCK = 16, 1 << 16
"""A file is told from others by so many of its blocks, of so many bytes."""


def named_vectors() -> WordVectors | None:
    """The vectors named in the settings, or None. Raises BadVectors."""
    source = _source()
    return None if source is None else _read(source, vectors_state())


@lru_cache(maxsize=1)
def _read(source: Path | VectorPackage, state: str) -> WordVectors:
    return read_vectors(source) if isinstance(source, Path) else read_package(source)


def are_named() -> bool:
    """Whether there are vectors to be read."""
    return _source() is not None


def vectors_state() -> str:
    """The identity of the named files' present content; empty if none are named."""
    source = _source()
    if source is None:
        return ""
    if isinstance(source, VectorPackage):
        return source.name
    is_folder = source.is_dir()
    files = sorted(f for f in source.rglob("*") if f.is_file()) if is_folder else [source]
    present = [(file, file.stat()) for file in files if file.exists()]
    digests = (_digest(file, stat.st_mtime_ns, stat.st_size) for file, stat in present)
    return " ".join([source.name, *digests])


@lru_cache(maxsize=64)
def _digest(file: Path, changed: int, size: int) -> str:
    """A digest of the file's name, size and blocks spread over it: its date differs on each machine
    that has a copy, and reading gigabytes at each start is slow."""
    content = hashlib.blake2b(f"{file.name} {size}".encode(), digest_size=12)
    with file.open("rb") as stream:
        for number in range(BLOCKS):
            stream.seek(max(0, size - BLOCK) * number // (BLOCKS - 1))
            content.update(stream.read(BLOCK))
    return content.hexdigest()


def vectors_label() -> str:
    """Name and licence of the vectors; empty if none are named. The licence is that of the setting,
    else the one that the package or the folder's README states."""
    source = _source()
    if source is None:
        return ""
    stated = source.licence if isinstance(source, VectorPackage) else _licence_in(source)
    return f"{source.name}, licence {settings.WORD_VECTORS_LICENCE or stated or 'not stated'}"


def _source() -> Path | VectorPackage | None:
    """A path that exists before a package of that name; one that does not if there is neither."""
    named = settings.WORD_VECTORS
    if not named:
        return installed_package(WORDLLAMA)
    if named == NONE:
        return None
    path = Path(named)
    return path if path.exists() else installed_package(named) or path


def _licence_in(folder: Path) -> str:
    readme = folder / "README.md"
    if not readme.is_file():
        return ""
    with readme.open(encoding="utf-8", errors="replace") as stream:
        match = _LICENCE.search(stream.read(_MOST_HEAD))
    return match[1].strip().strip("\"'")[:80] if match else ""
