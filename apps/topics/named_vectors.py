"""The vectors that an administrator names, read once by each worker, and how they are shown."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from apps.engine.representation.vectors.reading import read_vectors
from apps.engine.representation.vectors.word_vectors import WordVectors

_LICENCE = re.compile(r"^licen[sc]e:\s*(.+)$", re.MULTILINE | re.IGNORECASE)
_MOST_HEAD = 4_000


def named_vectors() -> WordVectors | None:
    """None if none are named. Raises BadVectors."""
    if not settings.WORD_VECTORS:
        return None
    path = Path(settings.WORD_VECTORS)
    changed = path.stat().st_mtime_ns if path.exists() else 0
    return _read(path, changed)


@lru_cache(maxsize=1)
def _read(path: Path, changed: int) -> WordVectors:
    return read_vectors(path)


def vectors_label() -> str:
    """Name and licence of the vectors; empty if none are named. The licence is that of the setting,
    else the one that the folder's README states."""
    if not settings.WORD_VECTORS:
        return ""
    path = Path(settings.WORD_VECTORS)
    licence = settings.WORD_VECTORS_LICENCE or _licence_in(path / "README.md")
    return f"{path.name}, licence {licence}" if licence else f"{path.name}, licence not stated"


def _licence_in(readme: Path) -> str:
    if not readme.is_file():
        return ""
    with readme.open(encoding="utf-8", errors="replace") as stream:
        match = _LICENCE.search(stream.read(_MOST_HEAD))
    return match[1].strip().strip("\"'")[:80] if match else ""
