"""The list of topics."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.screens.topic.classifier import guiding_f1
from apps.topics import selectors

ROWS = 25


def topic_list(request: HttpRequest) -> HttpResponse:
    """The visible topics, last changed first."""
    page = Paginator(selectors.listed_topics(request.user), ROWS).get_page(request.GET.get("page"))
    rows = [(topic, guiding_f1(topic)) for topic in page]
    return render(request, "topics/list.html", {"page": page, "rows": rows})
