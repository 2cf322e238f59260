"""Importing a recorded web from a file."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from apps.engine.networking.web_import.archive_files import ARCHIVES, PACKAGES
from apps.engine.networking.web_import.importing import (
    ImportSummary,
    Progress,
    import_html_files,
    import_json_document,
    import_json_lines,
    import_warc,
)
from apps.engine.networking.web_import.kinds import WebKind, web_kind
from apps.engine.parsing.documents.document_reader import DocumentReader
from apps.stored_files.files import forget, keep
from apps.webs.models import Web
from apps.webs.opening import new_folder

# A web is written to a folder of its name with .part, which is then renamed.
NAME = re.compile(r"(?!.*\.part\Z)[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
# The names of webs that Crawlsite makes itself.
TAKEN = frozenset({"live", "demo"})
Finish = Callable[[Web, ImportSummary], None]
"""Called in the transaction that stores the web; what it raises leaves nothing behind."""


class WebRefused(Exception):
    """A web cannot be imported under this name or from these files; the text has what to do."""


def import_web(
    name: str,
    file: Path | Sequence[Path],
    redirects: Path | None = None,
    progress: Progress | None = None,
    owner: User | None = None,
    leave_out_bad: bool = False,
    finish: Finish = lambda web, summary: None,
) -> tuple[Web, ImportSummary]:
    """A web from JSON, web archives or HTML files (`web_kind`), and a summary; `file` may be a
    folder, or several archives that make one web.

    Without an owner it is everybody's. `leave_out_bad` skips and counts lines of JSON that are not
    pages, and takes the readable part of a file that breaks off. Raises WebRefused for a bad name
    or a missing file, BadWebFile if the file cannot be read; both leave nothing behind.
    """
    files = [file] if isinstance(file, Path) else [*file]
    kind = _check(name, files, redirects)
    first = files[0]
    folder = new_folder(name)
    # A folder without a row is left over from an import that was cut off.
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    if kind is WebKind.ARCHIVE:
        archives = [each for one in files for each in _archives_in(one)]
        with DocumentReader() as convert:
            summary = import_warc(archives, folder, progress, leave_out_bad, convert)
    elif kind is WebKind.HTML_FILES:
        summary = import_html_files(first, folder)
    elif kind is WebKind.JSON:
        summary = import_json_document(first, folder, leave_out_bad)
    else:
        summary = import_json_lines(first, folder, redirects, progress, leave_out_bad)
    keep(folder)
    return _row(name, folder, summary, owner, finish), summary


def check_name(name: str) -> None:
    """Raises WebRefused if no web can be made under that name."""
    if not NAME.fullmatch(name):
        raise WebRefused(
            f"{name[:100]!r} cannot name a web: use letters, digits, dots, dashes and underscores, "
            "up to 100, beginning with a letter or digit and not ending in .part."
        )
    if name in TAKEN or Web.objects.filter(name=name).exists():
        raise WebRefused(f"There is a web {name} already: choose another name.")


def _check(name: str, files: Sequence[Path], redirects: Path | None) -> WebKind:
    check_name(name)
    for path in [*files, *filter(None, (redirects,))]:
        if not path.exists():
            raise WebRefused(f"There is no file {path}.")
    kind, *others = {web_kind(file) for file in files}
    if others or (len(files) > 1 and kind is not WebKind.ARCHIVE):
        raise WebRefused("Several files make one web only if all of them are web archives.")
    if redirects and kind is not WebKind.JSON_LINES:
        raise WebRefused(
            "Redirects go with JSON lines; a WARC file holds its own: leave the redirects out."
        )
    return kind


def _archives_in(path: Path) -> list[Path]:
    """The file itself, or the archives of a folder by name."""
    if not path.is_dir():
        return [path]
    return sorted(
        file for file in path.rglob("*") if file.name.lower().endswith((*ARCHIVES, *PACKAGES))
    )


def _row(
    name: str, folder: Path, summary: ImportSummary, owner: User | None, finish: Finish
) -> Web:
    try:
        with transaction.atomic():
            web = Web.objects.create(
                name=name,
                source=Web.Source.FOLDER,
                folder=folder.name,
                owner=owner,
                pages=summary.pages,
                hosts=summary.hosts,
            )
            finish(web, summary)
    except IntegrityError:
        forget(folder)
        raise WebRefused(f"There is a web {name} already: choose another name.") from None
    except BaseException:
        forget(folder)
        raise
    return web
