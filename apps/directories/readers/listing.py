"""The entries that readers of directory files yield."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Progress = Callable[[int, int], object]
"""Called with the bytes read and the total bytes (of the file as it is on the disk)."""

REPORT_EVERY = 2_000
_TOP = "Top"


@dataclass(frozen=True, slots=True)
class Listed:
    """A page in a category; `url` is empty if the file only names the category.

    `category` is a path such as `Arts/Animation` without the directory's own root, which is the
    empty path. `url` is unchanged from the file.
    """

    category: str
    url: str
    title: str = ""
    description: str = ""


class BadDirectoryFile(Exception):
    """A directory's file that cannot be read; its text gives the position and a remedy."""


def category_path(text: str) -> str:
    """A category's path without the root `Top`, empty parts and surrounding white space."""
    parts = [part.strip() for part in text.split("/")]
    parts = [part for part in parts if part]
    return "/".join(parts[1:] if parts[:1] == [_TOP] else parts)
