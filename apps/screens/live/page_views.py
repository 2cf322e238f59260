"""Pieces of the live page that are fetched on demand, and the list of failed requests."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.crawls.commands.labelling import labels
from apps.crawls.errors import CrawlRefused
from apps.crawls.labels.proposals import kind_of
from apps.crawls.models import Crawl
from apps.crawls.selectors import editable_crawls, visible_crawls
from apps.screens.live import feed_pages, host_table
from apps.screens.live import why as explained
from apps.screens.live.event_rows import event_rows
from apps.screens.live.fetch_errors import FetchErrors
from apps.screens.live.fragments import goal_fragment, labels_fragment

SHOWN = 100


def pages(request: SignedInRequest, pk: int) -> HttpResponse:
    """Rows of pages: the newest, or those selected by `show`."""
    crawl = get_object_or_404(visible_crawls(request.user), pk=pk)
    rows = feed_pages.chosen_rows(crawl, request.GET.get("show", ""), request.user)
    return HttpResponse("".join(rows))


@require_POST
def label(request: SignedInRequest, pk: int, seq: int) -> HttpResponse:
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
        outcome = labels.label(crawl, seq, value == "y", request.user, kind_of(crawl, seq))
    except CrawlRefused as refusal:
        return JsonResponse({"ok": False, "field": refusal.field, "message": refusal.message})
    letter = "" if outcome.relevant is None else "y" if outcome.relevant else "n"
    return JsonResponse({"ok": True, "label": letter, **_counts(crawl)})


@require_POST
def label_all(request: SignedInRequest, pk: int) -> HttpResponse:
    """Labels many pages, as `y 12 13 20`; responds like `label`, with the labels by page in
    `given`."""
    crawl = get_object_or_404(editable_crawls(request.user), pk=pk)
    text = request.POST.get("value", "")
    try:
        message = labels.LABEL.act(crawl, text, request.user)
        held = labels.labels_of(crawl, labels.parse(text).pages, request.user)
    except CrawlRefused as refusal:
        return JsonResponse({"ok": False, "field": refusal.field, "message": refusal.message})
    given = {seq: "y" if relevant else "n" for seq, relevant in held.items()}
    return JsonResponse({"ok": True, "message": message, "given": given, **_counts(crawl)})


def _counts(crawl: Crawl) -> dict[str, str]:
    return {"labels": labels_fragment(crawl), "goal": goal_fragment(crawl)}


def hosts(request: SignedInRequest, pk: int) -> HttpResponse:
    """The hosts with `q` in their name, in the order `sort`, as a table."""
    crawl = get_object_or_404(visible_crawls(request.user), pk=pk)
    query, sort = request.GET.get("q", ""), request.GET.get("sort", "")
    return render(request, "live/host_rows.html", host_table.context(crawl, query, sort))


def events(request: SignedInRequest, pk: int) -> HttpResponse:
    """All events of a crawl, newest first."""
    crawl = get_object_or_404(visible_crawls(request.user), pk=pk)
    rows = crawl.events.select_related("by").order_by("-seq")
    page = Paginator(rows, SHOWN).get_page(request.GET.get("page"))
    context = {
        "crawl": crawl,
        "page": page,
        "event_rows": event_rows(crawl, list(page)),
        "may_change": editable_crawls(request.user).filter(pk=pk).exists(),
    }
    return render(request, "live/all_events.html", context)


def failures(request: SignedInRequest, pk: int) -> HttpResponse:
    """The requests that yielded no page, newest first; optionally those of one `kind`."""
    crawl = get_object_or_404(visible_crawls(request.user), pk=pk)
    kind = request.GET.get("kind", "")
    rows = crawl.failed_requests.order_by("-request")
    rows = rows.filter(kind=kind) if kind in crawl.errors else rows
    page = Paginator(rows, SHOWN).get_page(request.GET.get("page"))
    context = {
        "crawl": crawl,
        "page": page,
        "fetch_errors": FetchErrors.of(crawl.errors),
        "kind": kind,
    }
    return render(request, "live/failures.html", context)


def why(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    """Why a URL has the priority it has, or had when it was fetched."""
    crawl = get_object_or_404(visible_crawls(request.user), pk=pk)
    return render(request, "live/why.html", explained.context(crawl, number))
