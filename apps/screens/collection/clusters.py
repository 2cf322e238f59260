"""The clusters of a topic's collection, and what is missing in it."""

from __future__ import annotations

import csv
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from apps.accounts.requests import SignedInRequest
from apps.collection.clusters.overview import FEW, cluster_overview
from apps.collection.clusters.tasks import refresh_clusters
from apps.collection.nearness import basis_words
from apps.topics.selectors import editable_topics

HEADS = ("cluster", "words", "pages", "judged", "relevant", "nearest_pages")


def overview(request: SignedInRequest, pk: int) -> HttpResponse:
    """The clusters of all visible crawls of a topic; a POST of one who may change the topic has
    them made anew."""
    editable = editable_topics(request.user)
    if request.method == "POST":
        refresh_clusters(get_object_or_404(editable, pk=pk), anew=True)
        messages.success(request, "The clusters are made anew in the background.")
        return redirect(request.path)
    seen = cluster_overview(request.user, pk)
    context = {
        "topic": seen.searched.topic,
        "searched": seen.searched,
        "clustering": seen.clustering,
        "seen": seen,
        "few": FEW,
        "basis": basis_words(seen.searched),
        "mine": editable.filter(pk=pk).exists(),
        "keywords": [(row, urlencode({"q": f'"{row.words}"'})) for row in seen.keywords],
        "pages": sum(crawl.pages for crawl in seen.searched.crawls),
    }
    return render(request, "collection/clusters.html", context)


def as_csv(request: SignedInRequest, pk: int) -> HttpResponse:
    """The clusters as CSV, a row each."""
    seen = cluster_overview(request.user, pk)
    name = f"topic-{pk}-clusters.csv"
    response = HttpResponse(
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
    lines = csv.writer(response)
    lines.writerow(HEADS)
    for row in seen.clusters:
        nearest = " ".join(page.final_url for page in row.nearest)
        numbers = (row.pages, row.judged, row.relevant_pages)
        lines.writerow([row.cluster.pk, row.cluster.name, *numbers, nearest])
    return response
