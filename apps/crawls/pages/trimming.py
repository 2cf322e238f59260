"""Trims what a machine keeps of the pages that are in a store of files: those used last stay."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from apps.crawls.pages.folder import SEGMENTS
from apps.stored_files.files import is_elsewhere, is_kept

IDLE_SECONDS = 600.0
"""A file used since is never deleted: somebody may be about to open it."""
MOST_AT_ONCE = 100


def trim() -> int:
    """Deletes segments here that the store has, those used longest ago first, until all segments
    here take at most `S3_CACHE_BYTES`; returns how many bytes were freed. Raises StoreDown."""
    if not is_elsewhere():
        return 0
    segments = sorted(_segments())
    too_much = sum(size for _, size, _ in segments) - settings.S3_CACHE_BYTES
    freed = 0
    for used, size, path in segments[:MOST_AT_ONCE]:
        if freed >= too_much or time.time() - used < IDLE_SECONDS:
            break
        if is_kept(path):
            path.unlink(missing_ok=True)
            freed += size
    return freed


def _segments() -> Iterator[tuple[float, int, Path]]:
    """When each segment was last used, its bytes and its path."""
    for path in Path(settings.DATA_DIR).glob(f"crawls/*/{SEGMENTS}"):
        try:
            stat = path.stat()
        except FileNotFoundError:
            continue
        yield stat.st_mtime, stat.st_size, path
