"""The versions this installation runs and the disk space it uses."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from django.conf import settings
from django.db import connection

# The libraries that affect which pages a crawl fetches and how they are judged; recipes name them.
LIBRARIES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "lxml",
    "PyStemmer",
    "tldextract",
    "w3lib",
    "ada-url",
    "httpx",
    "protego",
    "django",
)


@dataclass(frozen=True, slots=True)
class Room:
    """A folder of the data folder, or everything outside these folders, with its size in bytes."""

    name: str
    what: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Disk:
    """Disk space in bytes: `rooms` add up to `used`; crawls pause when `free` drops below
    `least`."""

    rooms: tuple[Room, ...]
    used: int
    free: int
    least: int

    @property
    def is_low(self) -> bool:
        return self.free < 2 * self.least


def versions() -> dict[str, str]:
    """Versions by name: crawlsite, Python, then the libraries that a crawl depends on."""
    versions = {"crawlsite": settings.VERSION, "python": platform.python_version()}
    for name in LIBRARIES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return versions


def database() -> str:
    """`SQLite 3.40.1` or `PostgreSQL 15.6`."""
    if connection.vendor == "sqlite":
        return f"SQLite {sqlite3.sqlite_version}"
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        return f"PostgreSQL {cursor.fetchone()[0].split()[0]}"


def disk_use() -> Disk:
    """The disk space used by the data folder, by kind."""
    folder = Path(settings.DATA_DIR)
    named = (
        ("crawls", "fetched pages and checkpoints"),
        ("experiments", "results of experiments"),
        ("topics", "example pages"),
        ("webs", "recorded webs"),
        ("backgrounds", "backgrounds"),
        ("vectors", "word vectors of crawls"),
        ("replays", "recorded webs, prepared for experiments"),
    )
    rooms = [Room(name, what, _size(folder / name)) for name, what in named]
    total = _size(folder)
    rooms.append(Room("", "database and the rest", total - sum(room.bytes for room in rooms)))
    return Disk(tuple(rooms), total, shutil.disk_usage(folder).free, settings.LEAST_FREE_DISK)


def _size(folder: Path) -> int:
    """Bytes on disk. A file with several hard links counts once; one deleted meanwhile is
    skipped."""
    seen: set[tuple[int, int]] = set()
    total = 0
    for below, _, names in os.walk(folder):
        for name in names:
            try:
                stat = (Path(below) / name).stat(follow_symlinks=False)
            except OSError:
                continue
            if (stat.st_dev, stat.st_ino) not in seen:
                seen.add((stat.st_dev, stat.st_ino))
                total += stat.st_size
    return total
