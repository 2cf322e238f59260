"""The files that the background makes for a person: their list, each file, cancelling it."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import filesizeformat
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.exports import stored
from apps.exports.formats import FORMATS
from apps.exports.models import StoredDownload
from apps.exports.streaming import file_pieces, in_threads
from apps.figures.quantities import roughly
from apps.jobs.queue import is_unanswered
from apps.screens.answers import attached
from apps.stored_files.errors import StoreDown

State = StoredDownload.State
STATES = {
    State.NONE: ("idle", "paused", "cancelled"),
    State.WAITING: ("idle", "queued", "waiting"),
    State.WORKING: ("run", "running", "being made"),
    State.DONE: ("ok", "check", "ready"),
    State.FAILED: ("bad", "cross", "failed"),
}


@dataclass(frozen=True, slots=True)
class DownloadRow:
    """A stored download as its row shows it: state with icon and tone, and text."""

    job: StoredDownload
    tone: str
    icon: str
    state: str
    words: str


def downloads(request: SignedInRequest) -> HttpResponse:
    """A person's stored downloads."""
    rows = [_row(download) for download in stored.downloads_of(request.user)]
    return render(request, "downloads/list.html", {"rows": rows, "days": stored.STORED_FOR.days})


def file(request: SignedInRequest, pk: int) -> HttpResponseBase:
    """The file of a stored download; a redirect with a message if it is not complete or gone."""
    download = _owned_download(request, pk)
    try:
        path = stored.path_of(download)
    except StoreDown as error:
        messages.error(request, f"The file could not be fetched: {error}.")
        return redirect("downloads:list")
    if path is None:
        messages.error(request, f"{download.file_name} is not complete, or its pages are gone.")
        return redirect("downloads:list")
    return StreamingHttpResponse(
        in_threads(file_pieces(path)),
        content_type=FORMATS[download.format].content_type,
        headers={**attached(download.file_name), "Content-Length": str(path.stat().st_size)},
    )


@require_POST
def delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Cancels a download that is under way, or deletes its file."""
    download = _owned_download(request, pk)
    stored.delete_download(download)
    messages.success(request, f"{download.file_name}: deleted.")
    return redirect("downloads:list")


@require_POST
def again(request: SignedInRequest, pk: int) -> HttpResponse:
    """Makes a download again that failed."""
    stored.try_again(_owned_download(request, pk))
    return redirect("downloads:list")


def _owned_download(request: SignedInRequest, pk: int) -> StoredDownload:
    return get_object_or_404(stored.downloads_of(request.user), pk=pk)


def _row(download: StoredDownload) -> DownloadRow:
    tone, icon, state = STATES[State(download.job_state)]
    return DownloadRow(download, tone, icon, state, _words(download))


def _words(download: StoredDownload) -> str:
    if download.job_state == State.FAILED:
        return download.job_problem
    if download.job_state == State.DONE:
        return filesizeformat(download.size or 0)
    if is_unanswered(download):
        return "No worker answers. Start one: manage.py up"
    left = download.seconds_left
    return "" if left is None else f"Ready in about {roughly(left)}; you may leave."
