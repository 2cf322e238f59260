"""One collected page: its details, its stored copy, and similar pages."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_sameorigin

from apps.collection.filters.query import Filters
from apps.collection.page_details import details, readable_answer
from apps.collection.scope import collected_page, crawl_scope, topic_scope
from apps.collection.similar import similar_pages
from apps.crawls.selectors import visible_crawls
from apps.screens.collection.rows import place_to_label, rows
from apps.screens.live import why
from apps.stored_pages.page_text import PageText, page_text
from apps.stored_pages.stored_copy import CONTENT_SECURITY_POLICY, safe_copy
from apps.topics.selectors import visible_topics

VIEWS = (
    ("stored", "Stored copy"), ("text", "Text"), ("headers", "Headers"), ("why", "Why"),
)  # fmt: skip
LONGEST_TEXT = 200_000


def page(request: HttpRequest, pk: int, seq: int) -> HttpResponse:
    """All details of a page; `?view=` selects stored copy, text or headers."""
    found = collected_page(request.user, pk, seq)
    topic = found.crawl.topic
    siblings = visible_crawls(request.user).filter(topic=topic)
    chosen = (dict(VIEWS).get(request.GET.get("view", "")) and request.GET["view"]) or "stored"
    answer = readable_answer(found.crawl, found)
    text = page_text(answer).text if answer and chosen == "text" else ""
    known = details(found, tuple(siblings.values_list("pk", flat=True)))
    context = {
        "page": found,
        "crawl": found.crawl,
        "details": known,
        "labelled": {
            "page": found,
            "label": known.entry.label if known.entry else None,
            "mine": place_to_label(known.places, request.user),
        },
        "views": VIEWS,
        "view": chosen,
        "answer": answer,
        "text": text[:LONGEST_TEXT],
        "cut": len(text) > LONGEST_TEXT,
        "why": why.context(found.crawl, found.number)["why"] if chosen == "why" else None,
        "visible_topic": visible_topics(request.user).filter(pk=topic.pk).exists(),
    }
    return render(request, "page/page.html", context)


def similar(request: HttpRequest, pk: int, seq: int) -> HttpResponse:
    """The most similar pages of all visible crawls of its topic."""
    found = collected_page(request.user, pk, seq)
    topic = found.crawl.topic
    visible = visible_topics(request.user).filter(pk=topic.pk).exists()
    scope = topic_scope(request.user, topic.pk) if visible else crawl_scope(request.user, pk)
    answer = readable_answer(found.crawl, found)
    alike = similar_pages(scope, found, page_text(answer) if answer else PageText("", ""))
    listed = rows(scope, Filters(), alike.hits, request.user)
    context = {
        "scope": scope,
        "page": found,
        "crawl": found.crawl,
        "answer": answer,
        "words": alike.words,
        "rows": [replace(row, shared=alike.shared[row.page.pk]) for row in listed],
        "visible_topic": visible,
    }
    return render(request, "page/similar.html", context)


@xframe_options_sameorigin
def stored(request: HttpRequest, pk: int, seq: int) -> HttpResponse:
    """The stored copy for the sandboxed frame, under a policy that allows nothing."""
    found = collected_page(request.user, pk, seq)
    answer = readable_answer(found.crawl, found)
    if answer is None:
        return HttpResponse(
            "The stored copy of this page cannot be read.", status=410, content_type="text/plain",
            headers={"Content-Security-Policy": CONTENT_SECURITY_POLICY},
        )
    return HttpResponse(
        safe_copy(answer),
        headers={
            "Content-Security-Policy": CONTENT_SECURITY_POLICY,
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "private, max-age=300",
        },
    )
