"""The list of topics."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from apps.accounts.requests import SignedInRequest
from apps.screens.topic.classifier import guiding_f1
from apps.topics.listing import TopicSearch, topic_listing
from apps.topics.selectors import listed_topics


def topic_list(request: SignedInRequest) -> HttpResponse:
    """The visible topics, filtered and ordered by the address; last changed first."""
    listing = topic_listing(request.user, TopicSearch.read(request.GET))
    page = listing.page(request.GET.get("page"))
    topics = listed_topics(request.user).in_bulk(page.object_list)
    return render(
        request,
        "topics/list.html",
        {
            "listing": listing,
            "page": page,
            "rows": [(topics[pk], guiding_f1(topics[pk])) for pk in page if pk in topics],
            "misread": listing.asked.misread(request.GET),
        },
    )
