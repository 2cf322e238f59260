"""The pages for a request that is malformed or too large, or that needs an unreadable file."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.engine.errors import BadWebFile
from apps.stored_files.errors import StoreDown


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Status 413 with the limit if the form is too large, otherwise 400."""
    too_large = isinstance(exception, RequestDataTooBig)
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE >> 20
    context = {"most_megabytes": most if too_large else None}
    return render(request, "400.html", context, status=413 if too_large else 400)


class UnreadableFile:
    """Answers with status 503 and the reason where a file that is needed is missing or damaged, or
    cannot be had from its store."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The page, if that is the error."""
        if not isinstance(error, BadWebFile):
            return None
        context = {"why": error.detail, "store_is_down": isinstance(error, StoreDown)}
        return render(request, "503.html", context, status=503)
