"""Recorded webs opened for the crawls of experiments, their pages kept parsed on disk.

A web is prepared by whoever needs it first, in the folder of its row, and again when it or the code
that parses pages has changed. The webs used longest ago are removed when all together take more
than the setting allows; they are prepared again when they are needed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

from django.conf import settings

from apps import demo
from apps.engine.networking.webs.virtual_web import INDEX
from apps.engine.replays.parsed_web import ParsedWeb
from apps.engine.replays.preparing import prepare
from apps.engine.replays.version import code_version
from apps.webs.models import Web
from apps.webs.opening import open_web, web_folder

MOST_OPEN = 2
_open: dict[Path, ParsedWeb] = {}


def open_parsed_web(
    web: Web, max_body: int | None = None, heartbeat: Callable[[], None] = lambda: None
) -> ParsedWeb:
    """The web of a row with each page parsed once, for all crawls and workers.

    `max_body` limits the bytes of a page. The first call prepares the web, which takes about a
    second for a thousand pages, and less if several processes call it at once; meanwhile
    `heartbeat` is called, and what it raises ends the call. Later calls in one process return the
    same object. Not to be called while an event loop runs. Raises BadWebFile if the web is damaged,
    ValueError for the live Web, OSError if the disk is full.
    """
    folder = replay_folder(web, max_body)
    opened = _open.get(folder)
    if opened is None or not folder.exists():
        opened = _open[folder] = _opened(web, folder, max_body, heartbeat)
        while len(_open) > MOST_OPEN:
            del _open[next(iter(_open))]
    os.utime(folder)
    return opened


def replay_folder(web: Web, max_body: int | None = None) -> Path:
    """Where the web is prepared, whether it is or not."""
    what = repr((code_version(), _identity(web), max_body))
    return _of_web(web.pk) / hashlib.sha256(what.encode()).hexdigest()[:20]


def remove_replays(number: int) -> None:
    """Removes all that is prepared of the web with this key."""
    shutil.rmtree(_of_web(number), ignore_errors=True)


def _opened(
    web: Web, folder: Path, max_body: int | None, heartbeat: Callable[[], None]
) -> ParsedWeb:
    recorded = open_web(web)
    prepare(folder, recorded, max_body, heartbeat)
    _remove_unused(folder)
    try:
        return ParsedWeb(folder, recorded, max_body)
    except (OSError, ValueError):  # damaged, for example by a full disk
        shutil.rmtree(folder)
        prepare(folder, recorded, max_body, heartbeat)
        return ParsedWeb(folder, recorded, max_body)


def _remove_unused(needed: Path) -> None:
    """Removes the folders used longest ago, until the others fit or only `needed` is left."""
    folders = {path: _size(path) for path in _replays().glob("web-*/*") if path != needed}
    left = settings.REPLAYS_BYTES - _size(needed)
    for path in sorted(folders, key=_used, reverse=True):
        left -= folders[path]
        if left < 0:
            shutil.rmtree(path, ignore_errors=True)


def _replays() -> Path:
    return Path(settings.DATA_DIR) / "replays"


def _of_web(number: int) -> Path:
    return _replays() / f"web-{number}"


def _identity(web: Web) -> str:
    """What the pages of a row's web have and those of no other."""
    if web.source == Web.Source.FOLDER:
        index = (web_folder(web) / INDEX).stat()
        return f"{web.folder} {index.st_size} {index.st_mtime_ns} {web.added_labels}".rstrip()
    return f"{web.source} {web.seed} {web.pages} {_demo_version()}"


@cache
def _demo_version() -> str:
    """A digest of the code that writes the demo web's pages."""
    digest = hashlib.sha256()
    for path in sorted(Path(str(demo.__file__)).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _size(folder: Path) -> int:
    """The bytes in a folder; another process may remove it meanwhile."""
    try:
        return sum(path.stat().st_size for path in folder.iterdir())
    except FileNotFoundError:
        return 0


def _used(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:
        return 0.0
