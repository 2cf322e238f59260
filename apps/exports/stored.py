"""Downloads made in the background: asked for, written, opened, deleted.

An attempt writes into a folder of its own that its row names first; the next attempt, and whoever
deletes the row, deletes that folder. So a kill leaves nothing behind and the file is written anew.
"""

from __future__ import annotations

import shutil
import uuid
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import Http404, QueryDict
from django.utils import timezone

from apps.collection.search import CollectionSearch, search_crawl, search_topic
from apps.crawls.models import Crawl
from apps.dossiers.taking_down import is_taken_down_since
from apps.engine.durable import sync
from apps.engine.errors import EngineError
from apps.engine.file_faults import fault_words
from apps.exports.columns import UnknownColumn
from apps.exports.format import Format
from apps.exports.formats import FORMATS
from apps.exports.models import CRAWL, TOPIC, StoredDownload
from apps.exports.row_choice import RowChoice
from apps.exports.searches import file_name, row_count, selection_of
from apps.exports.streaming import pieces
from apps.jobs import queue
from apps.jobs.progress_reporter import ProgressReporter, Withdrawn
from apps.schemas.refused import Refused
from apps.stored_files.errors import StoreDown
from apps.stored_files.files import forget, keep, local
from apps.webs.messages import error_words

MOST_AT_ONCE = 50_000
"""The rows that are made in a request."""
STORED_FOR = timedelta(days=7)
MOST_UNDER_WAY = 5
GONE = "What it is made of was deleted, or is no longer shared with you."

State = StoredDownload.State


class DownloadRefused(Refused):
    """A download is not made; `field` and `message` name the reason."""


class _DiskLow(Exception):
    """So little disk is left that the site needs it."""


def downloads_folder() -> Path:
    """The folder of stored downloads; each has its own folder in it."""
    return Path(settings.DATA_DIR) / "downloads"


def rows_of(search: CollectionSearch, format: Format, choice: RowChoice) -> int:
    """About how many rows a file has."""
    if format.count is not None:
        return format.count(selection_of(search, format, None))
    unlisted: int = search.context.unlisted
    return row_count(search, choice) + unlisted


def downloads_of(user: User) -> QuerySet[StoredDownload]:
    """A person's stored downloads that have not expired, the newest first."""
    return StoredDownload.objects.filter(owner=user).exclude(expires_at__lt=timezone.now())


def ask_for_download(
    owner: User, search: CollectionSearch, format: Format, query: QueryDict, rows: int
) -> StoredDownload:
    """Queues the download of a search; the same one under way is returned as it is.

    Raises DownloadRefused if too many are under way.
    """
    delete_expired()
    only = search.context.only
    wanted = {
        "owner": owner,
        "scope": CRAWL if only else TOPIC,
        "key": only.pk if only else search.context.topic.pk,
        "query": query.urlencode(),
        "format": format.id,
    }
    under_way = StoredDownload.objects.filter(owner=owner, job_state__in=queue.UNFINISHED)
    if same := under_way.filter(**wanted).first():
        return same
    if under_way.count() >= MOST_UNDER_WAY:
        raise DownloadRefused(
            "format", f"{MOST_UNDER_WAY} of your files are being made: wait, or cancel one."
        )
    name = file_name(search, format.extension)
    download = StoredDownload.objects.create(**wanted, file_name=name, rows=rows)
    queue.enqueue(download)
    return download


def try_again(download: StoredDownload) -> None:
    """Queues a download that failed; one under way or complete is left alone."""
    if download.job_state == State.FAILED:
        queue.enqueue(download, written=0, began_at=None)


def path_of(download: StoredDownload) -> Path | None:
    """The complete file on this machine; None if there is none, its search may no longer be seen,
    or a host was taken down since it was begun. Raises StoreDown."""
    if download.job_state != State.DONE or not _may_be_seen(download):
        return None
    if _is_outdated(download):
        return None
    path = local(downloads_folder() / download.folder) / download.file_name
    return path if path.is_file() else None


def delete_download(download: StoredDownload) -> None:
    """Deletes a download with its file; a worker that writes it stops."""
    download.refresh_from_db(fields=["folder"])
    download.delete()
    _forget(download)


def delete_expired() -> list[str]:
    """Deletes expired downloads, and those with pages of a host taken down since; returns a log
    line for each."""
    expired = list(StoredDownload.objects.filter(expires_at__lt=timezone.now()))
    made = StoredDownload.objects.filter(job_state=State.DONE, expires_at__gte=timezone.now())
    gone = [*expired, *filter(_is_outdated, made)]
    for download in gone:
        delete_download(download)
    return [f"the download {download.file_name} is deleted" for download in gone]


def _is_outdated(download: StoredDownload) -> bool:
    """Whether a host of its topic was taken down since it was begun."""
    topic = download.key
    if download.scope == CRAWL:
        crawls = Crawl.objects.filter(pk=download.key)
        topic = crawls.values_list("topic", flat=True).first() or 0
    return is_taken_down_since(topic, download.began_at)


def write_download(download: StoredDownload) -> None:
    """Writes the file of a download and records the outcome in its row."""
    _forget(download)
    download.folder = uuid.uuid4().hex
    try:
        size = _write(download)
        if not queue.finish(download, size=size, expires_at=timezone.now() + STORED_FOR):
            _forget(download)
    except Withdrawn:
        _forget(download)
    except Http404:
        _fail(download, GONE)
    except UnknownColumn as error:
        _fail(download, str(error))
    except EngineError as error:
        _fail(download, error_words(error))
    except _DiskLow:
        _fail(download, "The disk is nearly full: free some space, then try again.")
    except StoreDown as error:
        _fail(download, f"The file could not be stored: {error}.")
    except OSError as error:
        _fail(download, f"It could not be written: {fault_words(error)}.")


def _write(download: StoredDownload) -> int:
    """Writes the file and stores it; returns its bytes."""
    report = ProgressReporter(download)
    report(at_once=True, folder=download.folder, began_at=timezone.now(), written=0)
    query = QueryDict(download.query)
    search, format = _search(download, query), FORMATS[download.format]
    count = _RowCounter(report)
    selection = selection_of(search, format, download.owner, RowChoice.read(query))
    folder = downloads_folder() / download.folder
    folder.mkdir(parents=True)
    path = folder / download.file_name
    with path.open("wb") as file:
        for piece in pieces(format.export(replace(selection, report=count))):
            file.write(piece)
            count(0)
    report(at_once=True, written=count.written)
    sync(path)
    keep(folder)
    return path.stat().st_size


class _RowCounter:
    """Reports so many more rows. Raises Withdrawn, _DiskLow."""

    def __init__(self, report: ProgressReporter) -> None:
        self._report = report
        self.written = 0

    def __call__(self, rows: int) -> None:
        self.written += rows
        if self._report(written=self.written):
            left = shutil.disk_usage(settings.DATA_DIR).free
            if left < settings.LEAST_FREE_DISK:
                raise _DiskLow


def _search(download: StoredDownload, query: QueryDict) -> CollectionSearch:
    """The search of a download, for its owner. Raises Http404."""
    find = search_crawl if download.scope == CRAWL else search_topic
    return find(download.owner, download.key, query)


def _may_be_seen(download: StoredDownload) -> bool:
    try:
        _search(download, QueryDict(download.query))
    except Http404:
        return False
    return True


def _fail(download: StoredDownload, problem: str) -> None:
    queue.fail(download, problem)
    _forget(download)


def _forget(download: StoredDownload) -> None:
    if download.folder:
        forget(downloads_folder() / download.folder)
