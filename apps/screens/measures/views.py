"""The screen of the measures computed over a crawl's records."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from apps.crawls.selectors import visible_crawls
from apps.screens.measures.tables import measures_context


def measures(request: HttpRequest, pk: int) -> HttpResponse:
    """Every measure of a crawl with what it covers, and the plots."""
    found = visible_crawls(request.user).select_related("snapshot")
    crawl = get_object_or_404(found, pk=pk)
    return render(request, "measures/crawl.html", measures_context(crawl, request.user))
