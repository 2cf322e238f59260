"""The data folder, with everything stored: private to its owner and in this version's format.

The file `format` has the number of the format. It is written first, so that a folder with data but
without this file is from an earlier version.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

FORMAT = "4"
DATABASE = "crawlsite.sqlite3"
FORMAT_FILE = "format"
KEY_FILE = "secret_key"
ANOTHER = "name another folder in CRAWLSITE_DATA"


def open_folder(folder: Path) -> Path:
    """Returns the folder, created (0700) if it is missing; a folder becomes private at its first
    use.

    Raises ImproperlyConfigured, without changing anything, if the folder is not writable or has
    another format.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"The data folder {folder} cannot be made ({error.strerror}). "
            f"Make it writable, or {ANOTHER}."
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ImproperlyConfigured(
            f"The data folder {folder} is not writable. Make it writable, or {ANOTHER}."
        )
    _check_format(folder)
    return folder


def write_once(path: Path, text: str) -> str:
    """Returns the content of a private file (0600), created with `text` if it is missing."""
    if not path.exists():
        new = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        new.touch(mode=0o600)
        new.write_text(text)
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(new)
        new.unlink()
    return path.read_text()


def private_database(folder: Path) -> Path:
    """The path of the SQLite database, created empty (0600); its journals get the same mode."""
    path = folder / DATABASE
    path.touch(mode=0o600)
    return path


def _check_format(folder: Path) -> None:
    # Read before the number: a process that creates the folder now writes the number first.
    used = any((folder / name).exists() for name in (DATABASE, KEY_FILE))
    path = folder / FORMAT_FILE
    if path.exists():
        version = path.read_text().strip()
        if version != FORMAT:
            raise ImproperlyConfigured(_refusal(folder, f"has format {version}"))
    elif used:
        raise ImproperlyConfigured(_refusal(folder, "was written by an earlier version"))
    else:
        folder.chmod(0o700)
        write_once(path, f"{FORMAT}\n")


def _refusal(folder: Path, what: str) -> str:
    return (
        f"The data folder {folder} {what}; this version reads format {FORMAT} only. Nothing in it "
        "has been changed. Start the version of Crawlsite that wrote it, export what you need "
        f"(topics, collections), then {ANOTHER} and import it there."
    )
