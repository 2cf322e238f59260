"""Word vectors as a crawl keeps them: a crawl goes on with the vectors of its start, whatever
becomes of the administrator's file."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from apps.engine import checkpoint
from apps.engine.errors import BadCheckpoint, BadWebFile
from apps.engine.topics import VectorTable

VERSION = 1


def digest_of(table: VectorTable) -> str:
    """A name of the words with their vectors."""
    digest = hashlib.sha256("\n".join(table.words).encode("utf-8", "surrogatepass"))
    digest.update(table.rows.astype(np.float16).tobytes())
    return digest.hexdigest()[:40]


def write_vectors(table: VectorTable, path: Path) -> None:
    """Writes them durably, each number in two bytes. Raises OSError if the disk refuses."""
    rows = table.rows.astype(np.float16)
    checkpoint.write(path, {"version": VERSION, "words": [*table.words], "rows": rows})


def read_vectors_of(path: Path) -> VectorTable:
    """The vectors of a crawl. Raises BadWebFile if the file is gone or damaged."""
    try:
        state = checkpoint.read(path)
        return VectorTable(state["words"], np.asarray(state["rows"], np.float32))
    except (BadCheckpoint, KeyError, TypeError, ValueError) as error:
        raise BadWebFile(f"the word vectors {path.name} cannot be read: {error}") from None
