"""The list of topics."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.screens.topics.listing import Filters, listing

ROWS = 25


def topic_list(request: HttpRequest) -> HttpResponse:
    """The visible topics, filtered and ordered by the address; last changed first."""
    found = listing(request.user, Filters.read(request.GET.dict()))
    page = Paginator(found.shown, ROWS).get_page(request.GET.get("page"))
    return render(request, "topics/list.html", {
        "listing": found, "page": page, "misread": Filters.misread(request.GET.dict()),
    })
