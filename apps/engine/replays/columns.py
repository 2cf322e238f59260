"""Columns of numbers on disk: one file each, memory-mapped by every process."""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Column = NDArray[Any]
MANIFEST = "columns.json"


def write_columns(folder: Path, columns: Iterable[tuple[str, Iterable[Column]]]) -> None:
    """Writes each column, given in pieces of one type, then the manifest; durable.

    Raises OSError if the disk refuses.
    """
    described = {name: _write(folder / name, pieces) for name, pieces in columns}
    with (folder / MANIFEST).open("w") as file:
        json.dump(described, file)
        file.flush()
        os.fsync(file.fileno())


def _write(path: Path, pieces: Iterable[Column]) -> list[Any]:
    """Writes a column; its type and its number of entries."""
    kind, count = "<i8", 0
    with path.open("wb") as file:
        for piece in pieces:
            kind, count = piece.dtype.str, count + piece.size
            file.write(np.ascontiguousarray(piece).data)
        file.flush()
        os.fsync(file.fileno())
    return [kind, count]


def read_columns(folder: Path) -> Mapping[str, Column]:
    """The columns, read-only. Raises OSError or ValueError if a file is missing or cut off."""
    manifest: dict[str, list[Any]] = json.loads((folder / MANIFEST).read_text())
    return {name: _mapped(folder / name, *described) for name, described in manifest.items()}


def _mapped(path: Path, kind: str, count: int) -> Column:
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size != count * np.dtype(kind).itemsize:
            raise ValueError(f"{path.name} has {size} bytes")
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
    return np.frombuffer(data, kind)
