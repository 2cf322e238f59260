"""The pages of a recorded web: a searchable list, and single pages."""

from __future__ import annotations

import time
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_POST

from apps.engine.errors import BadWebFile
from apps.jobs import queue
from apps.screens.topic.set_aside import waiting_for
from apps.screens.webs.choices import chips, groups, orders
from apps.screens.webs.choosing import LISTS
from apps.screens.webs.frame import frame, visible_web
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
from apps.webs.pages.filters import PageFilters, read_filters
from apps.webs.pages.indexing import is_indexed
from apps.webs.pages.misread import misread
from apps.webs.pages.searching import FoundPage, PageIndex
from apps.webs.pages.tasks import ask_for_index

ROWS = 20
LONGEST_TEXT = 200_000
LINKS = 100


def pages(request: HttpRequest, pk: int) -> HttpResponse:
    """The results of a search; while the index is being made, its progress."""
    web = visible_web(request, pk)
    context = frame(request, web, "web") | {
        "form_waiting": waiting_for(request, web), "lists": LISTS,
    }
    try:
        if is_indexed(web):
            if not is_counted(web):
                ask_for_index(web)
            return render(request, "webs/pages.html", context | _found(request, web))
        open_web(web)
        context["job"] = ask_for_index(web)
    except BadWebFile as error:
        context["problem"] = error_words(error)
    return render(request, "webs/indexing.html", context)


def _found(request: HttpRequest, web: Web) -> dict[str, Any]:
    filters = read_filters(request.GET)
    began = time.perf_counter()
    named = named_pages(request.user, web)
    topics = {topic.pk: topic.name for topic in named}
    with PageIndex(web, {topic.pk: urls for topic, urls in named.items()}) as index:
        facets = index.facets(filters)
        last = max(1, -(-facets.found // ROWS))
        number = min(last, _page_number(request.GET.get("page", "")))
        found = index.find(filters, slice((number - 1) * ROWS, number * ROWS))
        seconds = time.perf_counter() - began
        rows = page_rows(open_web(web), filters, found, index.language)
    return {
        "filters": filters, "facets": facets, "rows": rows, "seconds": seconds,
        "groups": groups(filters, facets, topics), "chips": chips(filters, topics),
        "orders": orders(filters, is_counted(web)), "has_links": is_counted(web),
        "paging": _paging(filters, facets.found, number, last), "most": MOST_CHOSEN,
        "least": LEAST,
        "query": filters.query(), "misread": misread(request.GET, filters),
    }  # fmt: skip


def _paging(filters: PageFilters, found: int, number: int, last: int) -> dict[str, Any]:
    def address(page: int) -> str:
        return f"?{filters.query()}{'&' if filters.query() else ''}page={page}"

    return {
        "first": (number - 1) * ROWS + 1, "last": min(found, number * ROWS),
        "previous": address(number - 1) if number > 1 else "",
        "next": address(number + 1) if number < last else "",
    }  # fmt: skip


def _page_number(text: str) -> int:
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 9 else 1


@require_POST
def index_again(request: HttpRequest, pk: int) -> HttpResponse:
    """Queues the index of a web again after it failed."""
    web = visible_web(request, pk)
    for job in PageIndexing.objects.filter(web=web, job_state=PageIndexing.State.FAILED):
        queue.enqueue(job, done=0)
    return redirect("webs:web", web.pk)


def page(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """One page of a web: its stored copy, its text or its links, and its labels as links."""
    web = visible_web(request, pk)
    found = page_of(web, number)
    view = request.GET.get("view", "")
    view = view if view in ("text", "links") else "stored"
    text = page_text(open_web(web).get(found.url)).text if view == "text" else ""
    return render(request, "webs/page.html", {
        "web": web, "page": found, "view": view, "text": text[:LONGEST_TEXT],
        "links": _links(web, found) if view == "links" and is_counted(web) else (),
        "cut": len(text) > LONGEST_TEXT, "labels": [
            (label, f"{reverse('webs:web', args=[web.pk])}?{PageFilters(labels=(label,)).query()}")
            for label in found.labels
        ],
    })  # fmt: skip


def _links(web: Web, page: FoundPage) -> list[tuple[str, int, list[FoundPage]]]:
    """The pages that link to a page, and those that it links to: a heading, how many there are, and
    the most cited of them."""
    with PageIndex(web) as index:
        return [
            ("Linked from", page.inlinks or 0, index.linking_to(page.number, LINKS)),
            ("Links to", page.outlinks or 0, index.linked_from(page.number, LINKS)),
        ]


@xframe_options_sameorigin
def stored(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The stored copy for the sandboxed frame, under a policy that allows nothing."""
    web = visible_web(request, pk)
    answer = open_web(web).get(page_of(web, number).url)
    return HttpResponse(safe_copy(answer), headers={
        "Content-Security-Policy": CONTENT_SECURITY_POLICY,
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "private, max-age=300",
    })  # fmt: skip


def page_of(web: Web, number: int) -> FoundPage:
    """A page of a web by its number. Raises Http404."""
    try:
        with PageIndex(web) as index:
            found = index.pages([number])
    except BadWebFile as error:
        raise Http404(error_words(error)) from None
    if not found:
        raise Http404("The web has no page of that number.")
    return found[0]
