"""What a directory's file gives: pages that somebody put under a category."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Progress = Callable[[int, int], None]
"""Called with bytes read and bytes in all (of the file as it lies on the disk)."""

REPORT_EVERY = 2_000
_TOP = "Top"


@dataclass(frozen=True, slots=True)
class Listed:
    """A page under a category; `url` is empty where the file only names the category.

    `category` is a path such as `Arts/Animation`, without the directory's own root; the root
    itself is the empty path. `url` is as it stands in the file.
    """

    category: str
    url: str
    title: str = ""
    description: str = ""


class BadDirectoryFile(Exception):
    """A directory's file that cannot be read; says how far it came and what to do."""


def category_path(text: str) -> str:
    """A category's path without the root `Top`, empty parts and white space round names."""
    parts = [part.strip() for part in text.split("/")]
    parts = [part for part in parts if part]
    return "/".join(parts[1:] if parts[:1] == [_TOP] else parts)
