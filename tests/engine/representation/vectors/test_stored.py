"""Word vectors as a crawl keeps them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from apps.engine.errors import BadWebFile
from apps.engine.representation.vectors.stored import digest_of, read_vectors_of, write_vectors
from apps.engine.topics import VectorTable

TABLE = VectorTable(("heat", "wärme"), np.array([[1, 0], [0.5, -0.75]], np.float32))


def test_what_was_written_is_read(tmp_path: Path) -> None:
    write_vectors(TABLE, tmp_path / "a.vectors")
    again = read_vectors_of(tmp_path / "a.vectors")
    assert list(again.words) == ["heat", "wärme"] and again.rows.dtype == np.float32
    assert again.rows.tolist() == TABLE.rows.tolist()
    assert digest_of(again) == digest_of(TABLE)


def test_other_words_and_other_numbers_have_other_names() -> None:
    others = [replace(TABLE, words=("heat", "kalt")), replace(TABLE, rows=TABLE.rows[::-1])]
    assert len({digest_of(table) for table in (TABLE, *others)}) == 3


def test_a_damaged_or_missing_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.vectors").write_bytes(b"no")
    for name in ("a.vectors", "gone.vectors"):
        with pytest.raises(BadWebFile, match=f"word vectors {name} cannot be read"):
            read_vectors_of(tmp_path / name)
