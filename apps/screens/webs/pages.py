"""The pages of a recorded web: a searchable list, and single pages."""

from __future__ import annotations

import time
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.engine.errors import BadWebFile
from apps.jobs import queue
from apps.screens.topic.set_aside import waiting_for
from apps.screens.webs.choosing import LISTS
from apps.screens.webs.frame import being_indexed, frame, visible_web
from apps.screens.webs.rows import page_rows
from apps.screens.webs.selecting import MOST_CHOSEN
from apps.stored_pages.page_text import page_text
from apps.stored_pages.stored_copy import CONTENT_SECURITY_POLICY, safe_copy
from apps.topics.definition.from_pages import LEAST
from apps.topics.selectors import named_pages
from apps.webs.links import is_counted
from apps.webs.messages import error_words
from apps.webs.models import PageIndexing, Web
from apps.webs.opening import open_web
from apps.webs.pages.indexing import is_indexed
from apps.webs.pages.search import PageSearch, labelled
from apps.webs.pages.searching import PageIndex, WebPage
from apps.webs.pages.tasks import ask_for_index

ROWS = 20
LONGEST_TEXT = 200_000
LINKS = 100


def pages(request: SignedInRequest, pk: int) -> HttpResponse:
    """The results of a search; while the index is being made, its progress."""
    web = visible_web(request, pk)
    context = frame(request, web, "web") | {
        "form_waiting": waiting_for(request, web),
        "lists": LISTS,
    }
    try:
        if is_indexed(web):
            if not is_counted(web):
                ask_for_index(web)
            return render(request, "webs/pages.html", context | _matches(request, web))
        open_web(web)
        context["job"] = ask_for_index(web)
    except BadWebFile as error:
        context["problem"] = error_words(error)
    return render(request, "webs/indexing.html", context)


def _matches(request: SignedInRequest, web: Web) -> dict[str, Any]:
    began = time.perf_counter()
    named = named_pages(request.user, web)
    search = PageSearch.read(request.GET, {topic.pk: topic.name for topic in named})
    with PageIndex(web, {topic.pk: urls for topic, urls in named.items()}) as index:
        facets = index.facets(search)
        last = max(1, -(-facets.pages // ROWS))
        number = min(last, _page_number(request.GET.get("page", "")))
        matches = index.find(search, slice((number - 1) * ROWS, number * ROWS))
        seconds = time.perf_counter() - began
        rows = page_rows(open_web(web), search, matches, index.language)
    return {
        "search": search,
        "facets": facets,
        "rows": rows,
        "seconds": seconds,
        "panels": search.panels(facets.counts),
        "chips": search.chips(),
        "orders": search.offered_orders(is_counted(web)),
        "has_links": is_counted(web),
        "paging": _paging(search, facets.pages, number, last),
        "most": MOST_CHOSEN,
        "least": LEAST,
        "query": search.query(),
        "misread": search.misread(request.GET),
    }


def _paging(search: PageSearch, pages: int, number: int, last: int) -> dict[str, Any]:
    def address(page: int) -> str:
        return f"?{search.query()}{'&' if search.query() else ''}page={page}"

    return {
        "first": (number - 1) * ROWS + 1,
        "last": min(pages, number * ROWS),
        "previous": address(number - 1) if number > 1 else "",
        "next": address(number + 1) if number < last else "",
    }


def _page_number(text: str) -> int:
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 9 else 1


@require_POST
def index_again(request: SignedInRequest, pk: int) -> HttpResponse:
    """Queues the index of a web again after it failed."""
    web = visible_web(request, pk)
    for job in PageIndexing.objects.filter(web=web, job_state=PageIndexing.State.FAILED):
        queue.enqueue(job, done=0)
    return redirect("webs:web", web.pk)


def page(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    """One page of a web: its stored copy, its text or its links, and its labels as links."""
    web = visible_web(request, pk)
    if being_indexed(web):
        return redirect("webs:web", web.pk)
    shown = page_of(web, number)
    view = request.GET.get("view", "")
    view = view if view in ("text", "links") else "stored"
    text = page_text(open_web(web).get(shown.url)).text if view == "text" else ""
    return render(
        request,
        "webs/page.html",
        {
            "web": web,
            "page": shown,
            "view": view,
            "text": text[:LONGEST_TEXT],
            "links": _links(web, shown) if view == "links" and is_counted(web) else (),
            "cut": len(text) > LONGEST_TEXT,
            "labels": [
                (label, f"{reverse('webs:web', args=[web.pk])}?{labelled(label).query()}")
                for label in shown.labels
            ],
        },
    )


def _links(web: Web, page: WebPage) -> list[tuple[str, int, list[WebPage]]]:
    """The pages that link to a page, and those that it links to: a heading, how many there are, and
    the most cited of them."""
    with PageIndex(web) as index:
        return [
            ("Linked from", page.inlinks or 0, index.linking_to(page.number, LINKS)),
            ("Links to", page.outlinks or 0, index.linked_from(page.number, LINKS)),
        ]


@xframe_options_sameorigin
def stored(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    """The stored copy for the sandboxed frame, under a policy that allows nothing."""
    web = visible_web(request, pk)
    answer = open_web(web).get(page_of(web, number).url)
    return HttpResponse(
        safe_copy(answer),
        headers={
            "Content-Security-Policy": CONTENT_SECURITY_POLICY,
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "private, max-age=300",
        },
    )


def page_of(web: Web, number: int) -> WebPage:
    """A page of a web by its number. Raises Http404."""
    try:
        with PageIndex(web) as index:
            pages = index.pages([number])
    except BadWebFile as error:
        raise Http404(error_words(error)) from None
    if not pages:
        raise Http404("The web has no page of that number.")
    return pages[0]
