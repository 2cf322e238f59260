"""Files of states that can be made again, of which the most recently used are kept."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from apps.engine import checkpoint


def read(path: Path) -> dict[str, Any]:
    """The state in a file, whose time of use becomes now. Raises BadCheckpoint or OSError without a
    readable one."""
    state: dict[str, Any] = checkpoint.read(path)
    path.touch()
    return state


def write(path: Path, state: dict[str, Any], pattern: str, most: int) -> None:
    """Stores a state; of the files of that pattern beside it those used longest ago give way, if
    there are more than `most`. Ignores a full or read-only disk."""
    mine = path.with_name(f"{path.stem}-{os.getpid()}.npz")
    with suppress(OSError):
        checkpoint.write(mine, state)
        mine.replace(path)
        newest_first = sorted(path.parent.glob(pattern), key=_used, reverse=True)
        for old in newest_first[most:]:
            old.unlink()


def _used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # another process removed it
        return 0.0
