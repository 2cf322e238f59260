"""An upload's names and sizes before it is sent, withdrawing it, and importing it without its bad
lines."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.jobs.models import Job
from apps.screens.uploads.forms import DirectoryUploadForm, UploadForm, WebUploadForm
from apps.uploads import services
from apps.uploads.models import Upload

_LISTS = {
    Upload.Kind.WEB: "webs:list",
    Upload.Kind.DIRECTORY: "directories:list",
    Upload.Kind.LABELS: "webs:list",
}


@require_POST
def check_web(request: SignedInRequest) -> JsonResponse:
    """The errors of the form of a web, by field as HTML; its files are sent empty, with their
    names, and their sizes as fields."""
    return _refused(request, WebUploadForm(request.POST, request.FILES, user=request.user))


@require_POST
def check_directory(request: SignedInRequest) -> JsonResponse:
    """The errors of the form of a directory, by field as HTML."""
    return _refused(request, DirectoryUploadForm(request.POST, request.FILES))


def _refused(request: SignedInRequest, form: UploadForm) -> JsonResponse:
    form.check_unsent(request.user)
    return JsonResponse(
        {
            name: render_to_string("components/errors.html", {"errors": errors, "id": f"id_{name}"})
            for name, errors in form.errors.items()
        }
    )


@require_POST
def without_bad_lines(request: SignedInRequest, pk: int) -> HttpResponse:
    """Imports a file again that failed at a line that is not a page, skipping such lines."""
    upload = get_object_or_404(Upload, owner=request.user, pk=pk)
    try:
        services.read_without_bad_lines(upload)
    except services.UploadRefused as refusal:
        messages.error(request, refusal.message)
    return redirect(_LISTS[Upload.Kind(upload.kind)])


@require_POST
def withdraw(request: SignedInRequest, pk: int) -> HttpResponse:
    """Cancels an upload that is under way, or removes one that has ended from the list."""
    ended = Q(job_state=Job.State.DONE) & ~Q(kind=Upload.Kind.LABELS)
    mine = Upload.objects.filter(owner=request.user).exclude(ended)
    upload = get_object_or_404(mine, pk=pk)
    under_way = upload.is_under_way
    services.withdraw(upload)
    if under_way:
        messages.success(request, f"{upload.name}: cancelled, nothing is kept.")
    return redirect(_LISTS[Upload.Kind(upload.kind)])
