"""Files too large to be read while a person waits: taken in, read in the background, told about."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import time
import uuid
from collections.abc import Callable, Iterable
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.text import get_valid_filename
from django_q.tasks import async_task

from apps.crawls.importing import WebRefused, check_name, import_web
from apps.crawls.messages import error_words
from apps.engine.errors import BadWebFile
from apps.topics.directory_import import check_directory_name, import_directory, summary
from apps.topics.importers.listing import BadDirectoryFile, read_directory
from apps.topics.lines import storable
from apps.topics.models import Upload

TASK = "apps.topics.tasks.read_upload"
LOST_AFTER = timedelta(minutes=10)
MOST_BYTES = 4 * 2**30
MOST_REDIRECT_BYTES = 20 * 2**20
TOLD_EVERY = 0.5
LONGEST_FILE_NAME = 100
UNREADABLE = "It holds something that cannot be read. Nothing was kept; the site’s log says more."
MEND = "Nothing was kept: mend the file, then upload it again."
log = logging.getLogger("crawlsite.topics")

State, Kind = Upload.State, Upload.Kind
Progress = Callable[[int, int], None]


class UploadRefused(Exception):
    """A file is not taken; `field` names where, `message` says what to do."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


class File(Protocol):
    """An uploaded file, on the disk or in pieces."""

    name: str | None
    size: int | None

    def chunks(self) -> Iterable[bytes]: ...


class _Withdrawn(Exception):
    """The person has taken the upload back while it was being read."""


def uploads_folder() -> Path:
    """Where uploads lie until they are read, a folder each."""
    return Path(settings.DATA_DIR) / "uploads"


def uploads_of(user: AbstractUser, kind: str) -> QuerySet[Upload]:
    """A person's uploads of a kind that are under way or came to nothing, the last first."""
    return Upload.objects.filter(owner=user, kind=kind).exclude(state=State.DONE)


def take_upload(
    owner: AbstractUser, kind: str, name: str, file: File, redirects: File | None = None
) -> Upload:
    """Keeps an uploaded file and leaves it to the background. Raises UploadRefused."""
    name = " ".join(storable(name).split())
    check_upload_name(owner, kind, name)
    _check_size(file, redirects)
    folder = uploads_folder() / uuid.uuid4().hex
    try:
        file_name = _keep(file, folder)
        redirects_name = _keep(redirects, folder / "redirects") if redirects else ""
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise UploadRefused("file", "The disk is full: free some space, then try again.") from None
    upload = Upload.objects.create(
        owner=owner, kind=kind, name=name, file_name=file_name, redirects_name=redirects_name,
        folder=folder.name, size=(folder / file_name).stat().st_size,
    )
    _ask(upload)
    return upload


def check_upload_name(owner: AbstractUser, kind: str, name: str) -> None:
    """Raises UploadRefused where nothing can be made under that name."""
    under_way = Upload.objects.filter(
        kind=kind, name=name, state__in=(State.WAITING, State.READING)
    )
    try:
        if kind == Kind.WEB:
            check_name(name)
        else:
            check_directory_name(owner, name)
            under_way = under_way.filter(owner=owner)
    except (WebRefused, BadDirectoryFile) as refusal:
        raise UploadRefused("name", str(refusal)) from None
    if under_way.exists():
        raise UploadRefused("name", f"A file is being read as {name} now: choose another name.")


def _check_size(file: File, redirects: File | None) -> None:
    size = file.size or 0
    if not size:
        raise UploadRefused("file", "The file is empty.")
    if size > MOST_BYTES:
        raise UploadRefused(
            "file", f"The file is larger than {MOST_BYTES >> 30} GB. Pack it with gzip, or import"
            " it by the command that Help, Sources names.",
        )
    if redirects and (redirects.size or 0) > MOST_REDIRECT_BYTES:
        raise UploadRefused(
            "redirects", f"The file is larger than {MOST_REDIRECT_BYTES >> 20} MB."
        )
    left = shutil.disk_usage(settings.DATA_DIR).free
    if left - size < settings.LEAST_FREE_DISK:
        raise UploadRefused(
            "file", f"The disk has {left / 2**30:.1f} GB left, too little for this file. Make room"
            " first.",
        )


def _keep(file: File, folder: Path) -> str:
    """Writes the file under a name of its own that a path can have."""
    folder.mkdir(parents=True)
    name = get_valid_filename(storable(file.name or "") or "file")[-LONGEST_FILE_NAME:]
    with (folder / name).open("wb") as kept:
        for piece in file.chunks():
            kept.write(piece)
    return name


def _ask(upload: Upload) -> None:
    transaction.on_commit(
        lambda: async_task(TASK, upload.pk, cluster=settings.BACKGROUND_CLUSTER)
    )


def ask_for_lost_uploads(after: timedelta = LOST_AFTER) -> int:
    """Asks again for uploads that no worker has taken or brought forward for so long; says for how
    many. Before any worker has started `after` is zero."""
    before = timezone.now() - after
    lost = Upload.objects.filter(
        Q(state=State.WAITING, asked_at__lt=before)
        | Q(state=State.READING, touched_at__lt=before)
    )
    found = list(lost)
    for upload in found:
        Upload.objects.filter(pk=upload.pk).update(
            state=State.WAITING, asked_at=timezone.now(), read=0
        )
        _ask(upload)
    return len(found)


def read_upload(upload_id: int) -> None:
    """Makes of an upload what it is for and says in its row what came of it; claimed once.

    One at a time, so that a worker stays free for everything else; the next one follows.
    """
    recent = timezone.now() - LOST_AFTER
    if Upload.objects.filter(state=State.READING, touched_at__gte=recent).exists():
        return
    waiting = Upload.objects.filter(pk=upload_id, state=State.WAITING)
    if not waiting.update(state=State.READING, touched_at=timezone.now()):
        return
    _read(Upload.objects.get(pk=upload_id))
    following = Upload.objects.filter(state=State.WAITING).order_by("pk").first()
    if following is not None:
        _ask(following)


def _read(upload: Upload) -> None:
    try:
        _settle(upload, State.DONE, report=_READERS[Kind(upload.kind)](upload, _Telling(upload)))
    except _Withdrawn:
        _remove_files(upload)
    except BadWebFile as error:
        _settle(upload, State.BAD, f"{error_words(error)} {MEND}")
    except (WebRefused, BadDirectoryFile) as error:
        _settle(upload, State.BAD, str(error))
    except (OSError, sqlite3.Error) as error:
        why = getattr(error, "strerror", None) or str(error)
        _settle(upload, State.BAD, f"It could not be written: {why}. Nothing was kept.")
    except Exception:
        # Whatever a file can hold, it must not be read again and again.
        log.exception("upload %s", upload.pk)
        _settle(upload, State.BAD, UNREADABLE)


class _Telling:
    """Writes now and then how far a file has been read; raises _Withdrawn where nobody wants it."""

    def __init__(self, upload: Upload) -> None:
        self._upload = upload
        self._told = 0.0

    def __call__(self, read: int, of: int) -> None:
        if time.monotonic() - self._told < TOLD_EVERY:
            return
        self._told = time.monotonic()
        mine = Upload.objects.filter(pk=self._upload.pk, state=State.READING)
        if not mine.update(read=read, touched_at=timezone.now()):
            raise _Withdrawn


def _read_web(upload: Upload, progress: Progress) -> dict[str, Any]:
    folder = uploads_folder() / upload.folder
    redirects = folder / "redirects" / upload.redirects_name if upload.redirects_name else None
    _, found = import_web(
        upload.name, folder / upload.file_name, redirects, progress, owner=upload.owner
    )
    return {
        "made": {"pages": found.pages, "hosts": found.hosts, "redirects": found.redirects},
        "skipped": dict(found.skipped),
        "first": [list(asdict(each).values()) for each in found.examples],
    }


def _read_directory(upload: Upload, progress: Progress) -> dict[str, Any]:
    listed = read_directory(uploads_folder() / upload.folder / upload.file_name, progress)
    made = summary(import_directory(upload.owner, upload.name, listed))
    return {
        "made": {name: made[name] for name in ("categories", "pages", "sites")},
        "skipped": made["skipped"], "first": [],
    }


_READERS: dict[str, Callable[[Upload, Progress], dict[str, Any]]] = {
    Kind.WEB: _read_web, Kind.DIRECTORY: _read_directory,
}


def _settle(
    upload: Upload, state: str, problem: str = "", report: dict[str, Any] | None = None
) -> None:
    Upload.objects.filter(pk=upload.pk).update(
        state=state, problem=problem, report=report or {}, touched_at=timezone.now(),
    )
    _remove_files(upload)


def withdraw(upload: Upload) -> None:
    """Takes an upload back, or its failure off the list; a worker that reads it stops."""
    _remove_files(upload)
    upload.delete()


def _remove_files(upload: Upload) -> None:
    shutil.rmtree(uploads_folder() / upload.folder, ignore_errors=True)
