"""How many rows the database hands over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db.backends.utils import CursorWrapper


@contextmanager
def rows_read(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Collects the number of rows of each reading of a cursor."""
    numbers: list[int] = []

    def counting(name: str) -> Any:
        def read(self: CursorWrapper, *args: Any) -> Any:
            rows = getattr(self.cursor, name)(*args)
            numbers.append(len(rows) if isinstance(rows, list) else int(rows is not None))
            return rows

        return read

    with monkeypatch.context() as patched:
        for name in ("fetchone", "fetchmany", "fetchall"):
            patched.setattr(CursorWrapper, name, counting(name), raising=False)
        yield numbers
