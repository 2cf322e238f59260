"""The list of experiments and its live updates."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from apps.experiments.selectors import visible_experiments
from apps.screens.experiments.listing import Filters, Listing
from apps.screens.experiments.rows import drawn_rows

ROWS = 25
MOST_SHOWN = 100


def experiment_list(request: HttpRequest) -> HttpResponse:
    """The visible experiments, filtered and ordered by the address."""
    listing = _listing(request)
    page = Paginator(listing.shown, ROWS).get_page(request.GET.get("page"))
    return render(request, "experiments/list.html", {
        "listing": listing, "page": page, "rows": drawn_rows(page.object_list, request.user),
        "newest": max((one.pk for one in listing.all), default=0),
        "misread": Filters.misread(request.GET.dict()),
    })


@require_GET
def live_rows(request: HttpRequest) -> HttpResponse:
    """The rows that differ from those in the browser (`shown=12:ab,7:cd`), how many new ones there
    are since `newest`, and the totals."""
    try:
        shown = _shown(request.GET.get("shown", ""))
        newest = int(request.GET.get("newest", ""))
    except ValueError:
        return HttpResponseBadRequest("There is no such page of the list.")
    listing = _listing(request)
    there = {one.pk: one for one in listing.all}
    rows = drawn_rows([there[pk] for pk in shown if pk in there], request.user)
    return JsonResponse({
        "rows": {row.id: {"html": row.html, "stamp": row.stamp}
                 for row in rows if row.stamp != shown[int(row.id)]},
        "gone": [pk for pk in shown if pk not in there],
        "new": sum(one.pk > newest for one in listing.shown),
        "facts": listing.facts,
        "states": [choice.count for choice in listing.states],
    })


def _listing(request: HttpRequest) -> Listing:
    found = visible_experiments(request.user).annotate(cell_count=Count("cells"))
    return Listing(list(found), Filters.read(request.GET.dict()))


def _shown(text: str) -> dict[int, str]:
    pairs = [pair.split(":", 1) for pair in text.split(",") if pair]
    if len(pairs) > MOST_SHOWN:
        raise ValueError(text)
    return {int(number): stamp for number, stamp in pairs}
