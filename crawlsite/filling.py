"""Putting the files of a data folder into the store of files: after a restore, and where a site
that has run without a store is given one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from apps.crawls.models import UnsealedPages
from apps.crawls.pages.folder import crawl_folder
from apps.stored_files.files import is_kept, keep

MADE_AGAIN = frozenset({"models", "replays"})
"""The folders of what is made again where it is missing."""
WHOLE = ("webs/*", "uploads/*", "experiments/*/record")
"""What a store holds as whole folders."""


def to_store(folder: Path) -> Iterator[Path]:
    """The folders of a data folder that a store holds as wholes, then all other files."""
    whole = [path for name in WHOLE for path in sorted(folder.glob(name)) if path.is_dir()]
    yield from whole
    for path in sorted(folder.glob("*/**/*")):
        is_made_again = path.relative_to(folder).parts[0] in MADE_AGAIN
        if path.is_file() and not is_made_again and not any(map(path.is_relative_to, whole)):
            yield path


def fill(folder: Path) -> int:
    """Puts what the store lacks into it and returns how many files and whole folders that were.
    The segments of crawls that go on are left to these. Raises StoreDown."""
    rows = UnsealedPages.objects.values_list("crawl_id", "file").distinct()
    unsealed = {crawl_folder(crawl) / file for crawl, file in rows}
    added = 0
    for path in to_store(folder):
        if path.suffix != ".part" and path not in unsealed and not is_kept(path):
            keep(path)
            added += 1
    return added
