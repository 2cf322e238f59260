"""Files that the background makes: their progress, and the files."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import Http404, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from ninja import Router, Schema, Status

from apps.accounts.requests import SignedInRequest
from apps.api.paging import ListPage, PagingQuery, paged
from apps.api.refusals import Refusal
from apps.exports import stored
from apps.exports.formats import FORMATS
from apps.exports.models import StoredDownload
from apps.exports.streaming import file_pieces, in_threads

router = Router(tags=["exports"])
FILE = {
    "responses": {
        200: {
            "description": "The file, streamed.",
            "content": {
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
            },
        }
    }
}


class StoredDownloadOut(Schema):
    """A file that the background makes. `state` is waiting, working, done or failed; then `problem`
    names the fault. About `rows` rows, of which `written` are done; `size` in bytes."""

    id: int
    format: str
    file: str
    state: str
    problem: str
    rows: int
    written: int
    size: int | None
    asked_at: datetime
    expires_at: datetime | None


class StoredDownloadPage(ListPage):
    items: list[StoredDownloadOut]


@router.get("", response=StoredDownloadPage, summary="List stored downloads")
def list_downloads(request: SignedInRequest, paging: PagingQuery) -> Any:
    """Your files that were made in the background, latest first, until they expire."""
    return paged(stored.downloads_of(request.user), paging, download_of)


@router.get(
    "/{int:download_id}",
    response={200: StoredDownloadOut, 404: Refusal},
    summary="Show a stored download",
)
def show_download(request: SignedInRequest, download_id: int) -> Any:
    """The progress of a file, or its error."""
    return download_of(_owned_download(request, download_id))


@router.get(
    "/{int:download_id}/file",
    response={404: Refusal},
    openapi_extra=FILE,
    summary="Get a stored download's file",
)
def get_download(request: SignedInRequest, download_id: int) -> Any:
    """The file; 404 until it is complete, or once its pages are gone."""
    download = _owned_download(request, download_id)
    path = stored.path_of(download)
    if path is None:
        raise Http404
    return StreamingHttpResponse(
        in_threads(file_pieces(path)),
        content_type=FORMATS[download.format].content_type,
        headers={
            "Content-Disposition": f'attachment; filename="{download.file_name}"',
            "Content-Length": str(path.stat().st_size),
            "Cache-Control": "no-store",
        },
    )


@router.delete(
    "/{int:download_id}", response={204: None, 404: Refusal}, summary="Delete a stored download"
)
def delete_download(request: SignedInRequest, download_id: int) -> Any:
    """Cancels a file that is being made, or deletes it."""
    stored.delete_download(_owned_download(request, download_id))
    return Status(204, None)


def _owned_download(request: SignedInRequest, pk: int) -> StoredDownload:
    return get_object_or_404(stored.downloads_of(request.user), pk=pk)


def download_of(download: StoredDownload) -> dict[str, Any]:
    """One stored download in the form of `StoredDownloadOut`."""
    return {
        "id": download.pk,
        "format": download.format,
        "file": download.file_name,
        "state": download.job_state,
        "problem": download.job_problem,
        "rows": download.rows,
        "written": download.written,
        "size": download.size,
        "asked_at": download.job_asked_at,
        "expires_at": download.expires_at,
    }
