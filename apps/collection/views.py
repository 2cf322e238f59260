"""Screens of collections: the search, a page, its stored copy."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db.models import Q, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.clickjacking import xframe_options_sameorigin

from apps.collection import choices
from apps.collection.downloads import download
from apps.collection.facets import Facets
from apps.collection.filters import Filters, read_filters
from apps.collection.listing import rows
from apps.collection.misread import misread
from apps.collection.models import BINS
from apps.collection.page_details import details, stored_answer
from apps.collection.page_text import PageText, page_text
from apps.collection.scope import Scope, collected_page, crawl_scope, topic_scope
from apps.collection.selectors import ROWS, host_count, labelled_count, look
from apps.collection.similar import similar_pages
from apps.collection.stored_copy import CONTENT_SECURITY_POLICY, safe_copy
from apps.crawls.models import Crawl
from apps.crawls.selectors import visible_crawls
from apps.exports.formats import FORMATS
from apps.topics.models import Topic
from apps.topics.selectors import visible_topics

VIEWS = (
    ("stored", "Stored copy"), ("text", "Text"), ("headers", "Headers"), ("why", "Why"),
)  # fmt: skip
LONGEST_TEXT = 200_000


def home(request: HttpRequest) -> HttpResponse:
    """The collections one may see, by topic, and crawls shared alone; a lone topic at once."""
    topics = collected_topics(request.user)
    crawls = crawls_shared_alone(request.user)
    if len(topics) == 1 and not crawls:
        return redirect("collection:list", topics[0].pk)
    return render(request, "collection/home.html", {"topics": topics, "crawls": crawls})


def collected_topics(user: AbstractUser) -> list[Topic]:
    """Visible topics with `pages`, the pages of their visible crawls; the newest crawl first."""
    may_see = Q(crawls__owner=user) | Q(crawls__shared=True)
    counted = visible_topics(user).annotate(pages=Sum("crawls__pages", filter=may_see))
    return list(counted.filter(pages__gt=0).order_by("-pk"))


def crawls_shared_alone(user: AbstractUser) -> list[Crawl]:
    """Visible crawls with pages whose topics one may not see, the newest first."""
    alone = visible_crawls(user).exclude(topic__in=visible_topics(user)).filter(pages__gt=0)
    return list(alone.select_related("topic").order_by("-pk"))


def of_topic(request: HttpRequest, pk: int) -> HttpResponse:
    """The pages of all crawls of a topic that one may see."""
    return _listed(request, topic_scope(request.user, pk))


def of_crawl(request: HttpRequest, pk: int) -> HttpResponse:
    """The pages of one crawl."""
    return _listed(request, crawl_scope(request.user, pk))


def _listed(request: HttpRequest, scope: Scope) -> HttpResponse:
    begun = time.perf_counter()
    filters = read_filters(request.GET)
    screen = _screen(request.GET.get("page", ""))
    seen = look(scope, filters, screen)
    hits, counts = seen.hits, seen.facets
    if screen > 1 and not hits.rows:
        return redirect(f"{scope.address}?{filters.query()}")
    context = {
        "scope": scope,
        "filters": filters,
        "counts": counts,
        "misread": misread(request.GET, filters, scope),
        "rows": rows(scope, filters, hits.rows, request.user),
        "totals": hits.totals,
        "ranked": hits.ranked,
        "pages": sum(crawl.pages for crawl in scope.crawls),
        "failed": sum(crawl.failed for crawl in scope.crawls),
        "hosts": host_count(scope),
        "labelled": labelled_count(scope),
        "mine": scope.topic.owner_id == request.user.pk,
        "paging": _paging(filters, screen, hits.shown),
        "visible_topic": visible_topics(request.user).filter(pk=scope.topic.pk).exists(),
        **_offered(scope, filters, counts),
        "seconds": time.perf_counter() - begun,
    }
    return render(request, "collection/list.html", context)


def _offered(scope: Scope, filters: Filters, counts: Facets) -> dict[str, Any]:
    return {
        "groups": choices.groups(scope, filters, counts),
        "histogram": choices.histogram(filters, counts),
        "orders": choices.orders(filters),
        "chips": choices.chips(scope, filters),
        "tau": (filters.tau_from / BINS, filters.tau_to / BINS),
        "formats": FORMATS.values(),
        "download": download(scope, filters, counts),
    }


def _paging(filters: Filters, screen: int, shown: int) -> dict[str, Any]:
    last = max(1, -(-shown // ROWS))
    query = filters.query()
    return {
        "first": ROWS * (screen - 1) + 1,
        "last": min(shown, ROWS * screen),
        "previous": f"?{query}&page={screen - 1}" if screen > 1 else "",
        "next": f"?{query}&page={screen + 1}" if screen < last else "",
    }


def _screen(text: str) -> int:
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 8 else 1


def page(request: HttpRequest, pk: int, seq: int) -> HttpResponse:
    """Everything known of a page; `?view=` picks stored copy, text or headers."""
    found = collected_page(request.user, pk, seq)
    topic = found.crawl.topic
    siblings = visible_crawls(request.user).filter(topic=topic)
    chosen = (dict(VIEWS).get(request.GET.get("view", "")) and request.GET["view"]) or "stored"
    answer = stored_answer(found.crawl, found)
    text = page_text(answer).text if answer and chosen == "text" else ""
    context = {
        "page": found,
        "crawl": found.crawl,
        "details": details(found, tuple(siblings.values_list("pk", flat=True))),
        "views": VIEWS,
        "view": chosen,
        "answer": answer,
        "text": text[:LONGEST_TEXT],
        "cut": len(text) > LONGEST_TEXT,
        "why": explained(found.crawl, found.number) if chosen == "why" else None,
        "visible_topic": visible_topics(request.user).filter(pk=topic.pk).exists(),
    }
    return render(request, "collection/page.html", context)


def explained(crawl: Crawl, number: int) -> Any:
    """What the panel `dashboard/why.html` shows of a URL."""
    from apps.dashboard import why  # scikit-learn is loaded where it is needed

    return why.context(crawl, number)["why"]


def similar(request: HttpRequest, pk: int, seq: int) -> HttpResponse:
    """The pages most similar to one, of all crawls of its topic that one may see."""
    found = collected_page(request.user, pk, seq)
    topic = found.crawl.topic
    visible = visible_topics(request.user).filter(pk=topic.pk).exists()
    scope = topic_scope(request.user, topic.pk) if visible else crawl_scope(request.user, pk)
    answer = stored_answer(found.crawl, found)
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
    return render(request, "collection/similar.html", context)


@xframe_options_sameorigin
def stored(request: HttpRequest, pk: int, seq: int) -> HttpResponse:
    """The stored copy for the sandboxed frame, under a policy that allows nothing."""
    found = collected_page(request.user, pk, seq)
    answer = stored_answer(found.crawl, found)
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
