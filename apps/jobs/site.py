"""Files in the data folder about the site that runs on it.

`up.lock` is held (flock) by the site's process tree and holds its process id, its address and the
version of its code. Other machines may lend workers, each with a tree of its own. The file
`stopping-…` of a tree exists while its workers are to end: one that runs a crawl checks for it at
each commit and gives the crawl back.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import TextIO

DEFAULT_ADDRESS = "http://127.0.0.1:8000"
TREE = "CRAWLSITE_TREE"
"""The variable that names its tree to a process; the head sets it."""


class AlreadyRunning(Exception):
    """Another process tree works on this data folder; the text has which and what to do."""


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


def write_holder(lock: TextIO, address: str, code: str) -> None:
    """Writes the holder, the site's address and the version of its code into the lock file."""
    lock.seek(0)
    lock.truncate()
    lock.write(f"{os.getpid()} {address} {code}\n")
    lock.flush()


def address(folder: Path) -> str:
    """The address of that folder's site now or last; `http://127.0.0.1:8000` if it never ran."""
    return _read_holder(folder)[1]


def code(folder: Path) -> str:
    """The version of the code of that folder's site now or last; empty if it never ran."""
    return _read_holder(folder)[2]


def stopping_file(folder: Path) -> Path:
    """The file that asks the workers of this process's tree to end."""
    return folder / f"stopping-{os.environ.get(TREE, 'alone')}"


def is_stopping(folder: Path) -> bool:
    """Whether workers are to give back the crawls they run now."""
    return stopping_file(folder).exists()


def _read_holder(folder: Path) -> tuple[str, str, str]:
    try:
        process, where, code = (folder / "up.lock").read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return "", DEFAULT_ADDRESS, ""
    return process, where, code


def _whose(folder: Path) -> str:
    process, where, _ = _read_holder(folder)
    return (
        f"Crawlsite already runs on the data folder {folder}"
        + (f" (process {process}, {where}/)" if process else "")
        + ". Stop it first, or name another folder in CRAWLSITE_DATA."
    )
