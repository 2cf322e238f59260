from __future__ import annotations

import os
from pathlib import Path

import pytest

from apps.engine import recent_files
from apps.engine.errors import BadCheckpoint


def test_the_files_used_longest_ago_give_way(tmp_path: Path) -> None:
    other = tmp_path / "other.npz"
    other.write_bytes(b"")
    for number in range(3):
        path = tmp_path / f"texts-{number}.npz"
        recent_files.write(path, {"number": number}, "texts-*.npz", 2)
        os.utime(path, (number, number))
        os.utime(other, (0, 0))
    recent_files.read(tmp_path / "texts-1.npz")
    recent_files.write(tmp_path / "texts-3.npz", {"number": 3}, "texts-*.npz", 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "other.npz",
        "texts-1.npz",
        "texts-3.npz",
    ]
    assert recent_files.read(tmp_path / "texts-3.npz") == {"number": 3}


def test_what_cannot_be_read_or_written_is_no_state(tmp_path: Path) -> None:
    damaged = tmp_path / "texts-1.npz"
    damaged.write_bytes(b"damaged")
    for path in (damaged, tmp_path / "missing.npz"):
        with pytest.raises((BadCheckpoint, OSError)):
            recent_files.read(path)
    recent_files.write(damaged / "texts-2.npz", {}, "*", 2)  # a file is no folder
    assert damaged.read_bytes() == b"damaged"
