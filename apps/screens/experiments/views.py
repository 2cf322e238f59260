"""The list of experiments and its live updates."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from apps.accounts.requests import SignedInRequest
from apps.experiments.listing import ExperimentListing, ExperimentSearch
from apps.experiments.models import Experiment
from apps.experiments.selectors import visible_experiments
from apps.screens.experiments.rows import drawn_rows

MOST_SHOWN = 100


def experiment_list(request: SignedInRequest) -> HttpResponse:
    """The visible experiments, filtered and ordered by the address."""
    listing = _listing(request)
    page = listing.page(request.GET.get("page"))
    return render(
        request,
        "experiments/list.html",
        {
            "listing": listing,
            "page": page,
            "rows": drawn_rows(_experiments(listing, page), request.user),
            "newest": listing.newest,
            "misread": listing.asked.misread(request.GET),
        },
    )


@require_GET
def live_rows(request: SignedInRequest) -> HttpResponse:
    """The rows that differ from those in the browser (`shown=12:ab,7:cd`), how many new ones there
    are since `newest`, and the totals."""
    try:
        shown = _read_stamps(request.GET.get("shown", ""))
        newest = int(request.GET.get("newest", ""))
    except ValueError:
        return HttpResponseBadRequest("There is no such page of the list.")
    listing = _listing(request)
    experiments = _experiments(listing, shown)
    existing = {experiment.pk for experiment in experiments}
    rows = drawn_rows(experiments, request.user)
    return JsonResponse(
        {
            "rows": {
                row.id: {"html": row.html, "stamp": row.stamp}
                for row in rows
                if row.stamp != shown[int(row.id)]
            },
            "gone": [pk for pk in shown if pk not in existing],
            "new": listing.since(newest),
            "facts": listing.facts,
            "states": [choice.count for choice in listing.states],
        }
    )


def _listing(request: SignedInRequest) -> ExperimentListing:
    search = ExperimentSearch.read(request.GET)
    return ExperimentListing(visible_experiments(request.user), search)


def _experiments(listing: ExperimentListing, keys: Iterable[int]) -> list[Experiment]:
    """The visible experiments of these keys, in their order."""
    rows = listing.all.select_related("preparation").in_bulk(keys := list(keys))
    return [rows[pk] for pk in keys if pk in rows]


def _read_stamps(text: str) -> dict[int, str]:
    pairs = [pair.split(":", 1) for pair in text.split(",") if pair]
    if len(pairs) > MOST_SHOWN:
        raise ValueError(text)
    return {int(number): stamp for number, stamp in pairs}
