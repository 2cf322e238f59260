"""The screen of the measures computed over a crawl's records."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from apps.accounts.requests import SignedInRequest
from apps.crawls.selectors import visible_crawls
from apps.screens.measures.tables import measures_context


def measures(request: SignedInRequest, pk: int) -> HttpResponse:
    """Every measure of a crawl with what it covers, and the plots."""
    crawls = visible_crawls(request.user).select_related("snapshot")
    crawl = get_object_or_404(crawls, pk=pk)
    return render(request, "measures/crawl.html", measures_context(crawl, request.user))
