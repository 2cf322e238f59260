"""Withholding the pages of a host of a recorded web: hidden, shown again, erased.

The index is copied, changed and put in the old one's place, since those who read it have it open as
unchangeable.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from apps.engine.durable import sync
from apps.engine.networking.page_store.erasure import erase_records
from apps.engine.networking.webs.virtual_web import INDEX
from apps.engine.urls import host

_WITHHELD = """
CREATE TABLE IF NOT EXISTS withheld_pages AS SELECT * FROM pages WHERE 0;
CREATE TABLE IF NOT EXISTS withheld_redirects AS SELECT * FROM redirects WHERE 0;
"""


def withhold_host(folder: Path, name: str) -> int:
    """Hides the pages of a host and the redirects to them; returns how many pages."""
    if not _count(folder, "pages", name):
        return 0
    with _changed(folder) as index:
        pages = index.execute(
            "INSERT INTO withheld_pages SELECT * FROM pages WHERE host_of(url) = ?", (name,)
        ).rowcount
        for table, where in _PARTS:
            if table == "redirects":
                index.execute(
                    f"INSERT INTO withheld_redirects SELECT * FROM redirects WHERE {where}",
                    {"host": name},
                )
            index.execute(f"DELETE FROM {table} WHERE {where}", {"host": name})
    return pages


def release_host(folder: Path, name: str) -> int:
    """Shows them again; returns how many pages."""
    if not (pages := _count(folder, "withheld_pages", name)):
        return 0
    with _changed(folder) as index:
        for table, where in _PARTS:
            index.execute(
                f"INSERT OR IGNORE INTO {table} SELECT * FROM withheld_{table} WHERE {where}",
                {"host": name},
            )
            index.execute(f"DELETE FROM withheld_{table} WHERE {where}", {"host": name})
    return pages


def erase_host(folder: Path, name: str) -> int:
    """Erases what is withheld of a host from the files, then from the index; returns how many
    pages. Raises OSError."""
    if not (pages := _count(folder, "withheld_pages", name)):
        return 0
    with _changed(folder) as index:
        spans: dict[str, list[tuple[int, int]]] = {}
        rows = index.execute(
            "SELECT file, offset, length FROM withheld_pages WHERE host_of(url) = ?", (name,)
        )
        for file, offset, length in rows:
            spans.setdefault(file, []).append((offset, length))
        for file, of_file in spans.items():
            erase_records(folder / file, of_file)
        for table, where in _PARTS:
            index.execute(f"DELETE FROM withheld_{table} WHERE {where}", {"host": name})
        index.commit()
        index.execute("VACUUM")
    return pages


_PARTS = (
    ("pages", "host_of(url) = :host"),
    ("redirects", "host_of(source) = :host OR host_of(target) = :host"),
)


def _count(folder: Path, table: str, name: str) -> int:
    """The rows of a host in a table of pages, 0 where there is no such table."""
    with closing(sqlite3.connect(folder / INDEX)) as index:
        index.create_function("host_of", 1, host, deterministic=True)
        if not index.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone():
            return 0
        query = f"SELECT count(*) FROM {table} WHERE host_of(url) = ?"
        return int(index.execute(query, (name,)).fetchone()[0])


@contextmanager
def _changed(folder: Path) -> Iterator[sqlite3.Connection]:
    """A copy of the index to be changed, which takes its place at the end of the block."""
    part = folder / f"{INDEX}.part"
    shutil.copyfile(folder / INDEX, part)
    with closing(sqlite3.connect(part)) as index:
        index.create_function("host_of", 1, host, deterministic=True)
        index.executescript(_WITHHELD)
        yield index
        index.commit()
    sync(part)
    part.replace(folder / INDEX)
    sync(folder)
