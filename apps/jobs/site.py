"""Files in the data folder about the site that runs on it.

`up.lock` is held (flock) by the one process tree of this folder and holds its process id and
address. The file `stopping` exists while workers are to end: a worker that runs a crawl checks for
it at each commit and gives the crawl back.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import TextIO

DEFAULT_ADDRESS = "http://127.0.0.1:8000"


class AlreadyRunning(Exception):
    """Another process tree works on this data folder; the text says which and what to do."""


def take(folder: Path) -> TextIO:
    """Takes the lock of that data folder; it is held until the file is closed. Raises
    AlreadyRunning."""
    lock = (folder / "up.lock").open("a+", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise AlreadyRunning(_whose(folder)) from error
    return lock


def tell(lock: TextIO, address: str) -> None:
    """Writes the holder and the site's address into the lock file."""
    lock.seek(0)
    lock.truncate()
    lock.write(f"{os.getpid()} {address}\n")
    lock.flush()


def address(folder: Path) -> str:
    """The address of that folder's site now or last; `http://127.0.0.1:8000` if it never ran."""
    return _told(folder)[1]


def stopping_file(folder: Path) -> Path:
    return folder / "stopping"


def is_stopping(folder: Path) -> bool:
    """Whether workers are to give back the crawls they run now."""
    return stopping_file(folder).exists()


def _told(folder: Path) -> tuple[str, str]:
    try:
        process, where = (folder / "up.lock").read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return "", DEFAULT_ADDRESS
    return process, where


def _whose(folder: Path) -> str:
    process, where = _told(folder)
    return (
        f"Crawlsite already runs on the data folder {folder}"
        + (f" (process {process}, {where}/)" if process else "")
        + ". Stop it first, or name another folder in CRAWLSITE_DATA."
    )
