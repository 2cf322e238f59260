"""Topic labels that pages of a recorded web got after it was made, in a separate file.

The web itself never changes. The file has only labels that a page does not have in the web.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from apps.engine.durable import sync

_TABLES = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
CREATE TABLE labels (url TEXT, label TEXT, PRIMARY KEY (url, label)) WITHOUT ROWID;
"""


class AddedLabels:
    """The file opened for reading. Raises OSError if there is none."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise FileNotFoundError(path)
        self._base = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )

    def of(self, url: str) -> tuple[str, ...]:
        """The labels of a page, in alphabetical order."""
        rows = self._base.execute("SELECT label FROM labels WHERE url = ? ORDER BY label", (url,))
        return tuple(label for (label,) in rows)

    def counts(self) -> dict[str, int]:
        """The number of pages per label."""
        return dict(self._base.execute("SELECT label, count(*) FROM labels GROUP BY label"))

    def urls(self) -> Iterator[str]:
        """The pages that have any."""
        return (url for (url,) in self._base.execute("SELECT DISTINCT url FROM labels"))

    def pairs(self) -> Iterator[tuple[str, str]]:
        """All as (URL, label), by URL."""
        return iter(self._base.execute("SELECT url, label FROM labels ORDER BY url, label"))

    def close(self) -> None:
        self._base.close()


def write_added_labels(path: Path, pairs: Iterable[tuple[str, str]]) -> None:
    """Writes the file; it is there once it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    base = sqlite3.connect(part)
    try:
        base.executescript(_TABLES)
        base.executemany("INSERT INTO labels VALUES (?, ?)", pairs)
        base.commit()
        base.close()
        sync(part)
        part.rename(path)
        sync(path.parent)
    finally:
        base.close()
        part.unlink(missing_ok=True)
