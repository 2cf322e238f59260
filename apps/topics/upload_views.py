"""Taking back what was uploaded."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from apps.topics import uploads
from apps.topics.models import Upload

_LISTS = {Upload.Kind.WEB: "webs:list", Upload.Kind.DIRECTORY: "topics:directories"}


@require_POST
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Cancels an upload that is under way, or takes one that failed off the list."""
    mine = Upload.objects.filter(owner=request.user).exclude(state=Upload.State.DONE)
    upload = get_object_or_404(mine, pk=pk)
    under_way = upload.is_under_way
    uploads.withdraw(upload)
    if under_way:
        messages.success(request, f"{upload.name}: cancelled, nothing is kept.")
    return redirect(_LISTS[Upload.Kind(upload.kind)])
