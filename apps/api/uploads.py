"""Uploads of large files: their progress and their results."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.shortcuts import get_object_or_404
from ninja import Router, Schema, Status

from apps.accounts.requests import SignedInRequest
from apps.api.paging import ListPage, PagingQuery, paged
from apps.api.refusals import Refusal
from apps.uploads import services
from apps.uploads.models import Upload
from apps.uploads.rows import left_out_rows

router = Router(tags=["uploads"])


class LeftOutOut(Schema):
    """The entries of a file that were skipped for one reason; `first` are lines (or records) and
    texts."""

    number: int
    why: str
    first: list[tuple[int, str]]


class UploadOut(Schema):
    """A file from which the background makes a web or a directory, or takes labels. `state` is
    waiting, working, done or failed; then `problem` names the fault and its line. `read` and `size`
    are bytes, `made` counts what was made."""

    id: int
    kind: str
    name: str
    file: str
    size: int
    read: int
    state: str
    problem: str
    made: dict[str, int]
    left_out: list[LeftOutOut]
    asked_at: datetime


class UploadPage(ListPage):
    items: list[UploadOut]


@router.get("", response=UploadPage, summary="List uploads")
def list_uploads(request: SignedInRequest, paging: PagingQuery) -> Any:
    """Your uploads, latest first, finished ones too."""
    return paged(Upload.objects.filter(owner=request.user), paging, upload_of)


@router.get("/{int:upload_id}", response={200: UploadOut, 404: Refusal}, summary="Show an upload")
def show_upload(request: SignedInRequest, upload_id: int) -> Any:
    """The progress of an upload, and its result or its error."""
    return upload_of(_owned_upload(request, upload_id))


@router.delete("/{int:upload_id}", response={204: None, 404: Refusal}, summary="Cancel an upload")
def cancel_upload(request: SignedInRequest, upload_id: int) -> Any:
    """Stops an upload that is under way, of which nothing is kept. The result of a finished one
    stays."""
    services.withdraw(_owned_upload(request, upload_id))
    return Status(204, None)


def _owned_upload(request: SignedInRequest, pk: int) -> Upload:
    return get_object_or_404(Upload, pk=pk, owner=request.user)


def upload_of(upload: Upload) -> dict[str, Any]:
    """One upload in the form of `UploadOut`."""
    return {
        "id": upload.pk,
        "kind": upload.kind,
        "name": upload.name,
        "file": upload.file_name,
        "size": upload.size,
        "read": upload.read,
        "state": upload.job_state,
        "problem": upload.job_problem,
        "made": upload.report.get("made", {}),
        "left_out": left_out_rows(upload),
        "asked_at": upload.job_asked_at,
    }
