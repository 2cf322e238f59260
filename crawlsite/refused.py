"""The page for a request that is malformed or too large."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Status 413 with the limit if the form is too large, otherwise 400."""
    too_large = isinstance(exception, RequestDataTooBig)
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE >> 20
    context = {"most_megabytes": most if too_large else None}
    return render(request, "400.html", context, status=413 if too_large else 400)
