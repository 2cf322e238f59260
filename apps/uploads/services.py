"""Uploads of large files: accepted, then imported in the background."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import uuid
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.text import get_valid_filename

from apps.accounts import quotas
from apps.directories.importing import check_directory_name, import_directory, summary
from apps.directories.models import Directory
from apps.directories.readers.listing import BadDirectoryFile
from apps.directories.readers.reading import read_directory
from apps.engine.errors import BadLine, BadWebFile
from apps.engine.file_faults import fault_words
from apps.engine.networking.web_import.importing import ImportSummary, SkippedLines
from apps.jobs import queue
from apps.jobs.models import Job
from apps.jobs.progress_reporter import ProgressReporter, Withdrawn
from apps.schemas.refused import Refused
from apps.stored_files.errors import StoreDown
from apps.stored_files.files import forget, keep, local
from apps.topics.definition.lines import storable
from apps.topics.selectors import true_labels
from apps.uploads.models import Upload
from apps.webs.importing import WebRefused, check_name, import_web
from apps.webs.label_lists import add_labels, take_back_labels
from apps.webs.messages import error_words
from apps.webs.models import Web
from apps.webs.pages.tasks import ask_for_index

MOST_BYTES = 4 * 2**30
MOST_REDIRECT_BYTES = 20 * 2**20
LONGEST_FILE_NAME = 100
UNREADABLE = "An unexpected error. Nothing was kept; the site’s log has the details."
MEND = "Nothing was kept: correct the file, then upload it again."
log = logging.getLogger("crawlsite.topics")

State, Kind = Job.State, Upload.Kind
Progress = Callable[[int, int, int], object]
Finish = Callable[[dict[str, Any]], None]
"""Ends the job with its outcome, in the transaction that stores what the upload made: an attempt
after a kill would refuse the name as taken. Raises Withdrawn."""


class UploadRefused(Refused):
    """A file is not accepted; `field` and `message` name the fault."""


class File(Protocol):
    """An uploaded file, on the disk or in chunks."""

    @property
    def name(self) -> str | None: ...
    @property
    def size(self) -> int | None: ...

    def chunks(self) -> Iterable[bytes]: ...


def uploads_folder() -> Path:
    """The folder of uploads that are not imported yet; each has its own folder in it."""
    return Path(settings.DATA_DIR) / "uploads"


def uploads_of(user: User, *kinds: str) -> QuerySet[Upload]:
    """A person's uploads of these kinds that are under way or have failed, and the lists of labels
    whose result was not dismissed, newest first."""
    reported = ~Q(job_state=State.DONE) | Q(kind=Kind.LABELS, dismissed=False)
    return Upload.objects.filter(reported, owner=user, kind__in=kinds).select_related("web")


def web_files(webs: Collection[Web]) -> dict[int, Upload]:
    """The file that each web was made from, by the web's key; none of a web that was not
    uploaded."""
    made = Upload.objects.filter(
        kind=Kind.WEB, job_state=State.DONE, name__in=[web.name for web in webs]
    ).order_by("pk")
    by_name: dict[tuple[int | None, str], Upload] = {
        (upload.owner_id, upload.name): upload for upload in made
    }
    return {web.pk: upload for web in webs if (upload := by_name.get((web.owner_id, web.name)))}


def take_upload(
    owner: User,
    kind: str,
    name: str,
    file: File,
    redirects: File | None = None,
    *,
    leave_out_bad: bool = False,
    web: Web | None = None,
) -> Upload:
    """Stores an uploaded file and queues its import. Raises UploadRefused.

    Labels are for the pages of `web`, whose name is theirs.
    """
    name = web.name if web else stored_name(name)
    waiting = Upload.objects.filter(owner=owner, job_state__in=queue.UNFINISHED)
    quotas.UPLOADS.check(waiting, 1, UploadRefused, "file")
    if web is None:
        check_upload_name(owner, kind, name)
    check_sizes(file.size or 0, redirects.size or 0 if redirects else 0)
    folder = uploads_folder() / uuid.uuid4().hex
    try:
        file_name = _keep(file, folder)
        redirects_name = _keep(redirects, folder / "redirects") if redirects else ""
        keep(folder)
    except StoreDown as error:
        forget(folder)
        raise UploadRefused("file", f"The file could not be stored: {error}.") from None
    except OSError:
        forget(folder)
        raise UploadRefused("file", "The disk is full: free some space, then try again.") from None
    upload = Upload.objects.create(
        owner=owner,
        kind=kind,
        name=name,
        file_name=file_name,
        redirects_name=redirects_name,
        folder=folder.name,
        size=(folder / file_name).stat().st_size,
        leave_out_bad=leave_out_bad,
        web=web,
    )
    queue.enqueue(upload)
    return upload


def stored_name(name: str) -> str:
    """The name as typed, with single spaces and without what no database takes."""
    return " ".join(storable(name).split())


def check_upload_name(owner: User, kind: str, name: str) -> None:
    """Raises UploadRefused if nothing can be made under that name."""
    under_way = Upload.objects.filter(kind=kind, name=name, job_state__in=queue.UNFINISHED)
    try:
        if kind == Kind.WEB:
            check_name(name)
        else:
            check_directory_name(owner, name)
            under_way = under_way.filter(owner=owner)
    except (WebRefused, BadDirectoryFile) as refusal:
        raise UploadRefused("name", str(refusal)) from None
    if under_way.exists():
        raise UploadRefused("name", f"A file is being imported as {name} now: choose another name.")


def check_sizes(file: int, redirects: int) -> None:
    """Raises UploadRefused if files of so many bytes cannot be taken."""
    if not file:
        raise UploadRefused("file", "The file is empty.")
    if file > MOST_BYTES:
        raise UploadRefused(
            "file",
            f"The file is larger than {MOST_BYTES >> 30} GB. Compress it with gzip, or"
            " import it by the command that Help, Sources names.",
        )
    if redirects > MOST_REDIRECT_BYTES:
        raise UploadRefused("redirects", f"The file is larger than {MOST_REDIRECT_BYTES >> 20} MB.")
    left = shutil.disk_usage(settings.DATA_DIR).free
    if left - file < settings.LEAST_FREE_DISK:
        raise UploadRefused(
            "file",
            f"The disk has {left / 2**30:.1f} GB left, too little for this file."
            " Free some space first.",
        )


def _keep(file: File, folder: Path) -> str:
    """Writes the file to the folder, under a name that is safe as a path."""
    folder.mkdir(parents=True)
    name = get_valid_filename(storable(file.name or "") or "file")[-LONGEST_FILE_NAME:]
    with (folder / name).open("wb") as stored:
        for piece in file.chunks():
            stored.write(piece)
    return name


def read_upload(upload: Upload) -> None:
    """Imports an upload and records the outcome in its row."""
    report = ProgressReporter(upload)

    def finish(outcome: dict[str, Any]) -> None:
        if not queue.finish(upload, report=outcome):
            raise Withdrawn

    try:
        report(at_once=True, began_at=timezone.now(), read=0, pages=0)
        _READERS[Kind(upload.kind)](
            upload, lambda read, of, pages: report(read=read, pages=pages), finish
        )
    except Withdrawn:
        _remove_files(upload)
    except BadLine as error:
        problem = f"{error_words(error)} Nothing was kept."
        queue.fail(upload, problem, bad_line=error.details["line"])
    except BadWebFile as error:
        _fail(upload, f"{error_words(error)} {MEND}")
    except (WebRefused, BadDirectoryFile) as error:
        _fail(upload, str(error))
    except (OSError, sqlite3.Error) as error:
        _fail(upload, f"It could not be written: {fault_words(error)}. Nothing was kept.")
    except Exception:
        # Whatever a file holds, its import must not be retried without end.
        log.exception("upload %s", upload.pk)
        _fail(upload, UNREADABLE)
    else:
        _remove_files(upload)


def _fail(upload: Upload, problem: str) -> None:
    queue.fail(upload, problem)
    _remove_files(upload)


def _read_web(upload: Upload, progress: Progress, finish: Finish) -> None:
    folder = local(uploads_folder() / upload.folder)
    redirects = folder / "redirects" / upload.redirects_name if upload.redirects_name else None
    web, _ = import_web(
        upload.name,
        folder / upload.file_name,
        redirects,
        progress,
        owner=upload.owner,
        leave_out_bad=upload.leave_out_bad,
        finish=lambda _, summary: finish({"made": _counts_of(summary), **_left_out(summary)}),
    )
    ask_for_index(web)


def _counts_of(summary: ImportSummary) -> dict[str, int]:
    return {"pages": summary.pages, "hosts": summary.hosts, "redirects": summary.redirects}


def _read_labels(upload: Upload, progress: Progress, finish: Finish) -> None:
    if upload.web is None:
        raise WebRefused(f"The web {upload.name} was deleted meanwhile.")
    add_labels(
        upload.web,
        local(uploads_folder() / upload.folder) / upload.file_name,
        lambda read, of, labels: progress(read, of, 0),
        leave_out_bad=upload.leave_out_bad,
        measured_by=true_labels(upload.web),
        finish=lambda summary: finish(
            {
                "made": {"labels": summary.labels, "pages": summary.pages},
                "files": list(summary.files),
                **_left_out(summary),
            }
        ),
    )
    ask_for_index(upload.web)


def take_back(upload: Upload) -> int:
    """Takes the labels of a list from their pages again and forgets the list; returns how many
    labels. Raises WebRefused as `take_back_labels`, and for a list that has no labels to take back.
    """
    if upload.web is None or not upload.can_be_taken_back:
        raise WebRefused("This list has not been added, or it was added before lists were stored.")
    before, after = upload.report["files"]
    taken = take_back_labels(upload.web, (before, after), measured_by=true_labels(upload.web))
    ask_for_index(upload.web)
    upload.delete()
    return taken


def _left_out(skipped_lines: SkippedLines) -> dict[str, Any]:
    """The lines of a file that were skipped: counts by reason, and the first lines."""
    return {
        "skipped": dict(skipped_lines.skipped),
        "first": [list(asdict(example).values()) for example in skipped_lines.examples],
    }


def _read_directory(upload: Upload, progress: Progress, finish: Finish) -> None:
    file = local(uploads_folder() / upload.folder) / upload.file_name
    listed = read_directory(file, lambda read, of: progress(read, of, 0))

    def finish_with(directory: Directory) -> None:
        made = summary(directory)
        counts = {name: made[name] for name in ("categories", "pages", "sites")}
        finish({"made": counts, "skipped": made["skipped"], "first": []})

    import_directory(upload.owner, upload.name, listed, finish_with)


_READERS: dict[str, Callable[[Upload, Progress, Finish], None]] = {
    Kind.WEB: _read_web,
    Kind.DIRECTORY: _read_directory,
    Kind.LABELS: _read_labels,
}


def read_without_bad_lines(upload: Upload) -> None:
    """Imports a file again that failed at a line that is not a page, now skipping such lines.

    Raises UploadRefused if it failed for another reason.
    """
    if upload.job_state != State.FAILED or upload.bad_line is None:
        raise UploadRefused("file", "This file did not fail at a line that is not a page.")
    queue.enqueue(upload, leave_out_bad=True, bad_line=None, read=0)


def withdraw(upload: Upload) -> None:
    """Withdraws an upload, or removes one that has ended from the list; a worker that reads it
    stops. What was left out of a list of labels stays with its web."""
    _remove_files(upload)
    if upload.kind == Kind.LABELS and upload.job_state == State.DONE:
        Upload.objects.filter(pk=upload.pk).update(dismissed=True)
        return
    upload.delete()


def _remove_files(upload: Upload) -> None:
    forget(uploads_folder() / upload.folder)
