"""Parses all pages of a web into a folder of columns, by as many processes as need it.

Each process takes free parts and writes each to a file; when all are written, one of them
joins them. A part is taken by locking its file, so that the parts of a process that ends are
free again at once. A folder gets its name when it is complete.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import numpy as np

from apps.engine.answers import Answer
from apps.engine.networking.bot_walls import is_wall
from apps.engine.networking.content import judge
from apps.engine.networking.redirects import REDIRECT_STATUSES, mentions_refresh
from apps.engine.networking.webs.virtual_web import Web, cut
from apps.engine.parsing.document import parse
from apps.engine.parsing.large_pages import LargePages, is_large
from apps.engine.parsing.processes import ParsingFailed
from apps.engine.replays.joining import join_parts
from apps.engine.replays.parts import WebPart

PART_PAGES = 500
WAIT_SECONDS = 0.05
Heartbeat = Callable[[], None]


def prepare(
    folder: Path, web: Web, max_body: int | None, heartbeat: Heartbeat = lambda: None
) -> None:
    """Makes the folder if it does not exist; returns when it does.

    `heartbeat` is called for each page and while other processes work; what it raises ends the
    work of this process. Raises BadWebFile if the web is damaged, OSError if the disk is full.
    """
    parts = folder.with_name(f"{folder.name}.parts")
    while not folder.exists():
        parts.mkdir(parents=True, exist_ok=True)
        began = time.monotonic()
        try:
            files = _parse_parts(parts, web, max_body, heartbeat)
            if all(file.exists() for file in files):
                _join(parts, files, folder)
            else:
                heartbeat()
                time.sleep(max(WAIT_SECONDS, time.monotonic() - began))
        except FileNotFoundError:
            continue  # another process has joined the parts, or removed them to make room
    shutil.rmtree(parts, ignore_errors=True)


def _parse_parts(parts: Path, web: Web, max_body: int | None, heartbeat: Heartbeat) -> list[Path]:
    """Parses the parts that nobody else parses; returns the files of all."""
    files: list[Path] = []
    urls = web.urls()
    while chunk := [*islice(urls, PART_PAGES)]:
        file = parts / f"{len(files)}.npz"
        files.append(file)
        if file.exists():
            continue
        with _locked(file.with_suffix(".lock")) as mine:
            if mine and not file.exists():
                arrays = _parse(web, chunk, max_body, heartbeat).arrays()
                unfinished = file.with_suffix(".unfinished")
                with unfinished.open("wb") as out:
                    np.savez(out, allow_pickle=False, **arrays)
                unfinished.rename(file)
    return files


def _parse(web: Web, urls: Sequence[str], max_body: int | None, heartbeat: Heartbeat) -> WebPart:
    """The pages at these URLs. No event loop runs during a heartbeat."""
    part, large_pages = WebPart(), LargePages()
    with asyncio.Runner() as loop:
        try:
            for url in urls:
                heartbeat()
                answer, labels = web.get(url), web.labels(url)
                loop.run(_parse_page(part, large_pages, answer, labels, max_body))
        finally:
            loop.run(large_pages.close())
    return part


async def _parse_page(
    part: WebPart,
    large_pages: LargePages,
    stored: Answer,
    labels: Sequence[str],
    max_body: int | None,
) -> None:
    if stored.status in REDIRECT_STATUSES and not stored.failure:
        return part.unread(stored.url, labels)
    answer = cut(judge(stored), max_body)
    if answer.failure:
        return part.failed(answer, labels)
    try:
        document = await large_pages.parse(answer) if is_large(answer) else parse(answer)
    except ParsingFailed:
        return part.unread(stored.url, labels)
    part.page(answer, document, labels, is_wall(answer) or mentions_refresh(answer.body))


def _join(parts: Path, files: Sequence[Path], folder: Path) -> None:
    """Joins the parts, unless another process does."""
    with _locked(parts / "join.lock") as mine:
        if mine and not folder.exists():
            unfinished = parts / "joined"
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            join_parts(files, unfinished)
            unfinished.rename(folder)
        elif not mine:
            time.sleep(WAIT_SECONDS)


@contextmanager
def _locked(path: Path) -> Iterator[bool]:
    """Holds the lock of a file; yields False if another process holds it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        yield False
        return
    try:
        yield True
    finally:
        os.close(handle)
