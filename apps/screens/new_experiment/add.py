"""Topics and strategies that are added to an experiment; its finished cells are kept."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from apps.accounts.requests import SignedInRequest
from apps.experiments.design.schema import CrawlerDesign
from apps.experiments.figures import FIGURES
from apps.experiments.models import Experiment
from apps.experiments.recipe import design_of
from apps.experiments.selectors import editable_experiments
from apps.experiments.services import add_crawlers, add_topics
from apps.figures.quantities import count, number_of
from apps.schemas.refused import Refused
from apps.screens.new_experiment.changes import change
from apps.screens.new_experiment.context import context_of, parts_json
from apps.screens.new_experiment.forms import NewExperimentForm
from apps.screens.new_experiment.starting_points import values_of
from apps.screens.new_experiment.strategy_rows import sent_rows

SENT = ("topic", "topics_sent", "row", "draw")


def add(request: SignedInRequest, pk: int) -> HttpResponse:
    """Shows what can be added; `do=add_all` adds the choice and redirects."""
    experiment = get_object_or_404(editable_experiments(request.user), pk=pk)
    do = request.POST.get("do", "")
    form = _form(request, experiment, do)
    if do == "add_all" and _added(request, experiment, form):
        return redirect("experiment:experiment", pk)
    context = _context(experiment, form, show_errors=do == "add_all")
    if request.method == "POST" and not request.accepts("text/html"):
        return parts_json(request, form, context)
    return render(
        request, "new_experiment/add.html", context, status=422 if context["show_errors"] else 200
    )


def _form(request: SignedInRequest, experiment: Experiment, do: str) -> NewExperimentForm:
    """A form with the experiment's design, without its topics and strategies."""
    design = design_of(experiment)
    values = values_of(design.model_copy(update={"crawlers": (), "baseline": 1}), request.user)
    values.setlist("topic", [])
    for name, value in sent_rows(_offered(request.GET.get("figure", ""))):
        values.appendlist(name, value)
    for name, texts in request.POST.lists():
        if name in SENT or name.startswith(("strategy-", "value-", "parents-")):
            values.setlist(name, texts)
    without = frozenset(design.topics)
    return NewExperimentForm(change(values, request.user, do, without), request.user, without)


def _offered(figure: str) -> tuple[CrawlerDesign, ...]:
    """The crawlers that a figure of the papers needs."""
    return next((each.offer.crawlers for each in FIGURES if each.id == figure and each.offer), ())


def _added(request: SignedInRequest, experiment: Experiment, form: NewExperimentForm) -> bool:
    """Adds what is chosen; False if it is refused, with the reason in the form."""
    form.is_valid()
    form.errors.clear()
    if any(row.is_bad for row in form.rows):
        form.report_error("crawlers", "Correct the values marked below.")
        return False
    if not form.topics.selected and not form.rows:
        form.report_error("topics", "Choose a topic or a strategy to add.")
        return False
    try:
        with transaction.atomic():
            if form.topics.selected:
                add_topics(experiment, form.topics.names, request.user)
            if form.rows:
                add_crawlers(experiment, [row.design() for row in form.rows], request.user)
    except Refused as refused:
        form.refuse(refused)
        return False
    messages.success(request, "Added. Cells that have ended are kept.")
    return True


def _context(
    experiment: Experiment, form: NewExperimentForm, *, show_errors: bool
) -> dict[str, Any]:
    if not show_errors:
        form.is_valid()
        form.errors.clear()
    return context_of(form, show_errors=show_errors) | {
        "experiment": experiment,
        "adding": _adding(experiment, form),
    }


def _adding(experiment: Experiment, form: NewExperimentForm) -> str:
    """The sentence about what will be added."""
    topics, crawlers = experiment.topics.count(), experiment.crawlers.count()
    more, others = len(form.topics.selected), form.crawler_count
    every = design_of(experiment).repetitions
    cells = ((topics + more) * (crawlers + others) - topics * crawlers) * every
    strategies = "1 strategy" if others == 1 else f"{count(others)} strategies"
    return f"{number_of(more, 'topic')} and {strategies} more: {number_of(cells, 'new cell')}."
