"""Pieces of the live page that are fetched on demand, and the list of failed requests."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST

from apps.crawls.commands import labels
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl
from apps.crawls.selectors import editable_crawls, visible_crawls
from apps.screens.live import feed_pages, host_table
from apps.screens.live import why as explained
from apps.screens.live.event_rows import event_rows
from apps.screens.live.fetch_errors import FetchErrors
from apps.screens.live.fragments import goal_fragment, labels_fragment

SHOWN = 100


def pages(request: HttpRequest, pk: int) -> HttpResponse:
    """Rows of pages: the newest, or those selected by `show`."""
    crawl = get_object_or_404(visible_crawls(request.user), pk=pk)
    return HttpResponse("".join(feed_pages.chosen_rows(crawl, request.GET.get("show", ""))))


@require_POST
def label(request: HttpRequest, pk: int, seq: int) -> HttpResponse:
    """Labels a page `y` or `n`, or removes the same label. For people who may steer; responds in
    JSON.

    `{ok, label, message, labels, goal}`: `label` is `y`, `n` or empty, `labels` the HTML that says
    how many are not yet learned from, `goal` how many are given.
    """
    crawl = get_object_or_404(editable_crawls(request.user), pk=pk)
    value = request.POST.get("value")
    try:
        if value not in ("y", "n"):
            raise CrawlRefused("value", "A label is y or n.")
        said = labels.label(crawl, seq, value == "y", request.user)
    except CrawlRefused as refusal:
        return JsonResponse({"ok": False, "field": refusal.field, "message": refusal.message})
    letter = "" if said.relevant is None else "y" if said.relevant else "n"
    return JsonResponse({"ok": True, "label": letter, **_counts(crawl)})


@require_POST
def label_all(request: HttpRequest, pk: int) -> HttpResponse:
    """Labels many pages, as `y 12 13 20`; responds like `label`, with the labels by page in
    `given`."""
    crawl = get_object_or_404(editable_crawls(request.user), pk=pk)
    text = request.POST.get("value", "")
    try:
        said = labels.LABEL.act(crawl, text, request.user)
        held = labels.labels_of(crawl, labels.parse(text).pages)
    except CrawlRefused as refusal:
        return JsonResponse({"ok": False, "field": refusal.field, "message": refusal.message})
    given = {seq: "y" if relevant else "n" for seq, relevant in held.items()}
    return JsonResponse({"ok": True, "message": said, "given": given, **_counts(crawl)})


def _counts(crawl: Crawl) -> dict[str, str]:
    return {"labels": labels_fragment(crawl), "goal": goal_fragment(crawl)}


def hosts(request: HttpRequest, pk: int) -> HttpResponse:
    """The hosts with `q` in their name, in the order `sort`, as a table."""
    crawl = get_object_or_404(visible_crawls(request.user), pk=pk)
    query, sort = request.GET.get("q", ""), request.GET.get("sort", "")
    return render(request, "live/host_rows.html", host_table.context(crawl, query, sort))


def events(request: HttpRequest, pk: int) -> HttpResponse:
    """All events of a crawl, newest first."""
    crawl = get_object_or_404(visible_crawls(request.user), pk=pk)
    found = crawl.events.select_related("by").order_by("-seq")
    page = Paginator(found, SHOWN).get_page(request.GET.get("page"))
    context = {"crawl": crawl, "page": page, "event_rows": event_rows(crawl, list(page)),
               "may_change": editable_crawls(request.user).filter(pk=pk).exists()}
    return render(request, "live/all_events.html", context)


def failures(request: HttpRequest, pk: int) -> HttpResponse:
    """The requests that yielded no page, newest first; optionally those of one `kind`."""
    crawl = get_object_or_404(visible_crawls(request.user), pk=pk)
    kind = request.GET.get("kind", "")
    found = crawl.failed_requests.order_by("-request")
    found = found.filter(kind=kind) if kind in crawl.errors else found
    page = Paginator(found, SHOWN).get_page(request.GET.get("page"))
    context = {
        "crawl": crawl, "page": page, "found": FetchErrors.of(crawl.errors), "kind": kind,
    }
    return render(request, "live/failures.html", context)


def why(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Why a URL has the priority it has, or had when it was fetched."""
    crawl = get_object_or_404(visible_crawls(request.user), pk=pk)
    return render(request, "live/why.html", explained.context(crawl, number))
