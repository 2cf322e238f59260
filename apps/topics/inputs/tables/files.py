"""A key-value table on the disk, written once and read without being loaded."""

from __future__ import annotations

import os
import sqlite3
import uuid
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from django.conf import settings

from apps.engine.errors import BadWebFile
from apps.stored_files.files import keep, local


def tables_folder() -> Path:
    """The folder of tables, which need not exist yet."""
    return Path(settings.DATA_DIR) / "tables"


def table_file(name: str) -> Path:
    """The path of a table, fetched to this machine if it is stored elsewhere."""
    return local(tables_folder() / name)


def new_path(ending: str = "sqlite") -> Path:
    """An unused path for a table."""
    return tables_folder() / f"{uuid.uuid4().hex}.{ending}"


class TableWriter:
    """Writes a table; nothing exists at its path until `finish`.

    Raises OSError or sqlite3.Error if the disk is full.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._part = path.with_name(f"{path.name}.part")
        self._part.unlink(missing_ok=True)
        self._base = sqlite3.connect(self._part)
        self._base.execute("PRAGMA journal_mode=OFF")
        self._base.execute("PRAGMA synchronous=OFF")
        self._base.execute("CREATE TABLE n (k TEXT PRIMARY KEY, v NUMERIC) WITHOUT ROWID")

    def add(self, rows: Iterable[tuple[str, float]]) -> None:
        """Adds rows; of several with one key the first counts."""
        self._base.executemany("INSERT OR IGNORE INTO n VALUES (?, ?)", rows)

    def count_ratios(self, smallest: float) -> None:
        """Replaces every number by its ratio to the smallest one, less one, as a whole number."""
        self._base.execute("UPDATE n SET v = CAST(round(v / ? - 1) AS INTEGER)", (smallest,))

    def finish(self) -> int:
        """Moves the table to its path, durably; returns its number of rows. Raises StoreDown."""
        (rows,) = self._base.execute("SELECT count(*) FROM n").fetchone()
        self._base.commit()
        self._base.close()
        with self._part.open("rb") as file:
            os.fsync(file.fileno())
        self._part.rename(self._path)
        keep(self._path)
        return int(rows)

    def abandon(self) -> None:
        """Deletes the unfinished table."""
        self._base.close()
        self._part.unlink(missing_ok=True)


class StoredTable(Mapping[str, int]):
    """A table read from the disk, one key at a time. Raises BadWebFile if it is gone."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise BadWebFile(f"the table {path.name} is gone: add its list again")
        self._base = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )
        try:
            (self._rows,) = self._base.execute("SELECT count(*) FROM n").fetchone()
        except sqlite3.DatabaseError:
            self._base.close()
            raise BadWebFile(f"the table {path.name} cannot be read: it is damaged") from None

    def __getitem__(self, key: str) -> int:
        row = self._base.execute("SELECT v FROM n WHERE k = ?", (key,)).fetchone()
        if row is None:
            raise KeyError(key)
        return int(row[0])

    def __contains__(self, key: object) -> bool:
        return self._base.execute("SELECT 1 FROM n WHERE k = ?", (key,)).fetchone() is not None

    def __iter__(self) -> Iterator[str]:
        return (key for (key,) in self._base.execute("SELECT k FROM n ORDER BY k"))

    def __len__(self) -> int:
        return int(self._rows)

    def close(self) -> None:
        """Closes the file."""
        self._base.close()
