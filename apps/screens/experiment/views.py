"""An experiment's page with its parts, its live updates, and what one can do to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.requests import SignedInRequest
from apps.crawls.errors import CrawlRefused
from apps.engine.errors import BadCheckpoint
from apps.experiments import services
from apps.experiments.results.outcomes import outcomes
from apps.experiments.selectors import (
    editable_experiments,
    owned_experiments,
    visible_experiments,
)
from apps.experiments.studies.services import UNDER_WAY, ensure_study
from apps.schemas.refused import Refused
from apps.screens.experiment import (
    figures_part,
    matrix_part,
    recipe_part,
    results_part,
    topics_part,
)
from apps.screens.experiment.acts import carry_out
from apps.screens.experiment.event_rows import event_rows
from apps.screens.experiment.fragments import pieces
from apps.screens.experiment.live_changes import changes, read_stamps
from apps.screens.experiment.matrix_part import matrix_of
from apps.screens.experiment.page import ExperimentPage, experiment_page
from apps.screens.experiment.parts import (
    DRAWN,
    MATRIX,
    RECIPE,
    RESULTS,
    TITLES,
    TOPICS,
    part_named,
    parts,
)

EVENTS = 100
CONTEXTS: Mapping[str, Callable[[SignedInRequest, ExperimentPage], dict[str, Any]]] = {
    RESULTS: results_part.context,
    MATRIX: matrix_part.context,
    TOPICS: topics_part.context,
    DRAWN: figures_part.context,
    RECIPE: recipe_part.context,
}


def experiment(request: SignedInRequest, pk: int) -> HttpResponse:
    """An experiment: the part of `?part=`, by default Matrix while it runs and Results after."""
    page = _page(request, pk)
    here = part_named(request.GET.get("part", ""), page.experiment, page.now)
    context = _unless_damaged(lambda: CONTEXTS[here](request, page))
    tabs = parts(page.experiment, page.now, here)
    context |= {
        "page": page,
        "experiment": page.experiment,
        "here": here,
        "title": TITLES[here],
        "pieces": pieces(page, tabs, request.user, context.get("matrix")),
    }
    return render(request, f"experiment/{here}.html", context)


def figure(request: SignedInRequest, pk: int, figure: str) -> HttpResponse:
    """One of the papers' figures, large. Raises Http404."""
    page = _page(request, pk)
    context: dict[str, Any] = {"figure": figures_part.figure_named(figure)}
    if page.now.done:
        context |= _unless_damaged(lambda: figures_part.large(request, page.experiment, figure))
    context |= {"page": page, "experiment": page.experiment}
    return render(request, "experiment/figure.html", context)


@require_GET
def studied(request: SignedInRequest, pk: int) -> HttpResponse:
    """Whether something is still being measured over the pages, as JSON."""
    page = _page(request, pk)
    words = ensure_study(outcomes(page.experiment)).words
    return JsonResponse({"under_way": words == UNDER_WAY})


def _unless_damaged(make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The part that `make` returns; if the result of a cell cannot be read, a remedy instead."""
    try:
        return make()
    except BadCheckpoint as error:
        return {
            "damaged": f"{error}. Restore the data folder’s file from a backup, or copy the"
            " experiment and run it again: it gives the same numbers."
        }


@require_GET
def live(request: SignedInRequest, pk: int) -> HttpResponse:
    """The changes since the page in the browser, as JSON of `live_changes.Changes`."""
    page = _page(request, pk)
    here = part_named(request.GET.get("part", ""), page.experiment, page.now)
    try:
        shown = read_stamps(request.GET.get("shown", ""))
    except Refused as refused:
        return HttpResponseBadRequest(refused.message)
    own = matrix_of(request, page) if here == MATRIX else None
    tabs = parts(page.experiment, page.now, here)
    now = changes(shown, pieces(page, tabs, request.user, own), own, page.moves)
    return JsonResponse(asdict(now))


@require_POST
def act(request: SignedInRequest, pk: int) -> HttpResponse:
    """Does what `do` says, for people who may edit; `cell` names cells to be tried again."""
    experiment = get_object_or_404(editable_experiments(request.user), pk=pk)
    name = request.POST.get("do", "")
    try:
        message = carry_out(experiment, name, request.POST.getlist("cell"), request.user)
    except (Refused, CrawlRefused) as refused:
        messages.error(request, refused.message)
        return redirect("experiment:experiment", pk)
    if message:
        messages.success(request, message)
    return redirect(f"{reverse('experiment:experiment', args=[pk])}?part={MATRIX}")


def events(request: SignedInRequest, pk: int) -> HttpResponse:
    """Everything that happened, newest first."""
    experiment = get_object_or_404(visible_experiments(request.user), pk=pk)
    page = Paginator(experiment.events.select_related("by"), EVENTS).get_page(
        request.GET.get("page")
    )
    rows = event_rows(page, request.user)
    return render(
        request,
        "experiment/all_events.html",
        {"experiment": experiment, "page": page, "rows": rows},
    )


def delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Asks for confirmation, saying what is deleted; the POST deletes."""
    experiment = get_object_or_404(owned_experiments(request.user), pk=pk)
    if request.method == "POST":
        try:
            services.delete_experiment(experiment)
        except Refused as refused:
            messages.error(request, refused.message)
            return redirect("experiment:experiment", pk)
        messages.success(request, f"{experiment.name} is deleted.")
        return redirect("experiments:list")
    return render(
        request,
        "experiment/delete.html",
        {"experiment": experiment, "page": experiment_page(experiment, request.user)},
    )


def _page(request: SignedInRequest, pk: int) -> ExperimentPage:
    experiment = get_object_or_404(visible_experiments(request.user), pk=pk)
    return experiment_page(experiment, request.user)
