"""Importing a recorded web from a file."""

from __future__ import annotations

import re
import shutil
import zipfile
import zlib
from pathlib import Path

from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction

from apps.engine.networking.web_files import opened
from apps.engine.networking.web_import import (
    ImportSummary,
    Progress,
    import_json_lines,
    import_warc,
)
from apps.stored_files.files import forget, keep
from apps.webs.models import Web
from apps.webs.opening import new_folder

# A web is written to a folder of its name with .part, which is then renamed.
NAME = re.compile(r"(?!.*\.part\Z)[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
# The names of webs that Crawlsite makes itself.
TAKEN = frozenset({"live", "demo"})
WARC_START = b"WARC/"


class WebRefused(Exception):
    """A web cannot be imported under this name or from these files; the text says what to do."""


def import_web(
    name: str,
    file: Path,
    redirects: Path | None = None,
    progress: Progress | None = None,
    owner: AbstractUser | None = None,
    leave_out_bad: bool = False,
) -> tuple[Web, ImportSummary]:
    """A web from JSON lines, WARC or WACZ (detected by how the file begins), and a summary.

    Without an owner it is everybody's. `leave_out_bad` skips and counts lines of JSON that are not
    pages. Raises WebRefused for a bad name or a missing file, BadWebFile if the file cannot be
    read; both leave nothing behind.
    """
    _check(name, file, redirects)
    folder = new_folder(name)
    # A folder without a row is left over from an import that was cut off.
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    if _is_warc(file):
        summary = import_warc(file, folder, progress)
    else:
        summary = import_json_lines(file, folder, redirects, progress, leave_out_bad)
    keep(folder)
    return _row(name, folder, summary, owner), summary


def check_name(name: str) -> None:
    """Raises WebRefused if no web can be made under that name."""
    if not NAME.fullmatch(name):
        raise WebRefused(
            f"{name[:100]!r} cannot name a web: use letters, digits, dots, dashes and underscores, "
            "up to 100, beginning with a letter or digit and not ending in .part."
        )
    if name in TAKEN or Web.objects.filter(name=name).exists():
        raise WebRefused(f"There is a web {name} already: choose another name.")


def _check(name: str, file: Path, redirects: Path | None) -> None:
    check_name(name)
    for path in filter(None, (file, redirects)):
        if not path.is_file():
            raise WebRefused(f"There is no file {path}.")
    if redirects and _is_warc(file):
        raise WebRefused("A WARC file holds its own redirects: leave the redirects out.")


def _is_warc(file: Path) -> bool:
    if zipfile.is_zipfile(file):
        return True
    try:
        with opened(file) as (stream, _):
            return stream.read(len(WARC_START)) == WARC_START
    except (OSError, EOFError, zlib.error):
        return False


def _row(
    name: str, folder: Path, summary: ImportSummary, owner: AbstractUser | None
) -> Web:
    try:
        with transaction.atomic():
            return Web.objects.create(
                name=name, source=Web.Source.FOLDER, folder=folder.name, owner=owner,
                pages=summary.pages, hosts=summary.hosts,
            )
    except IntegrityError:
        forget(folder)
        raise WebRefused(f"There is a web {name} already: choose another name.") from None
