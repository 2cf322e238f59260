"""The clusters of a topic's collection, and what is missing in it."""

from __future__ import annotations

import csv
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from apps.accounts.requests import SignedInRequest
from apps.collection.clusters.overview import FEW, cluster_overview
from apps.collection.clusters.tasks import refresh_clusters
from apps.collection.nearness import basis_words
from apps.collection.searched_crawls import crawls_of_topic
from apps.topics.selectors import editable_topics, visible_topics

HEADS = ("cluster", "words", "pages", "judged", "relevant", "nearest_pages")


def overview(request: SignedInRequest, pk: int) -> HttpResponse:
    """The clusters of all visible crawls of a topic; a POST of one who may change the topic has
    them made anew."""
    searched = crawls_of_topic(request.user, pk)
    mine = editable_topics(request.user).filter(pk=pk).exists()
    if request.method == "POST":
        if not mine:
            raise Http404
        refresh_clusters(searched.topic, anew=True)
        messages.success(request, "The clusters are made anew in the background.")
        return redirect(request.path)
    clustering = refresh_clusters(searched.topic)
    seen = cluster_overview(searched, clustering)
    context = {
        "topic": searched.topic,
        "searched": searched,
        "clustering": clustering,
        "seen": seen,
        "few": FEW,
        "basis": basis_words(searched),
        "mine": mine,
        "keywords": [(row, urlencode({"q": f'"{row.words}"'})) for row in seen.keywords],
        "pages": sum(crawl.pages for crawl in searched.crawls),
    }
    return render(request, "collection/clusters.html", context)


def as_csv(request: SignedInRequest, pk: int) -> HttpResponse:
    """The clusters as CSV, a row each."""
    get_object_or_404(visible_topics(request.user), pk=pk)
    searched = crawls_of_topic(request.user, pk)
    seen = cluster_overview(searched, refresh_clusters(searched.topic))
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
