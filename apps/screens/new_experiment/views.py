"""New experiment: the form, the same from a file, and what is added to one later."""

from __future__ import annotations

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render

from apps.experiments.design.toml_file import write_design
from apps.experiments.models import Experiment
from apps.experiments.recipe import design_of
from apps.experiments.selectors import owned_experiments, visible_experiments
from apps.experiments.services import create_experiment, delete_experiment, start
from apps.schemas.input import Refused
from apps.schemas.numbers import whole_number
from apps.screens.new_experiment.changes import change
from apps.screens.new_experiment.context import context_of, parts_json
from apps.screens.new_experiment.forms import NewExperimentForm
from apps.screens.new_experiment.starting_points import new_values, values_of
from apps.webs.selectors import recorded_webs

SAVES = ("start", "draft")
EARLIER = 8


def form(request: HttpRequest) -> HttpResponse:
    """The form of a new experiment, of a copy (`?copy=`) or of a draft that is changed (`?draft=`).

    `do` says which button was pressed; a script gets the parts that change as JSON.
    """
    if request.method != "POST":
        return _page(request, _first_values(request), show_errors=False)
    do = request.POST.get("do", "")
    sent = change(request.POST, request.user, do)
    found = NewExperimentForm(sent, request.user)
    if do == "toml":
        return _toml(request, found)
    if do not in SAVES:
        return _changed(request, found)
    made = _save(request, found, start_it=do == "start") if found.is_valid() else None
    if made is None:
        return _shown(request, found, show_errors=True, status=422)
    return redirect("experiment:experiment", made.pk)


def _first_values(request: HttpRequest) -> QueryDict:
    """What the address asks for."""
    asked = request.GET
    for name, rows in (("copy", visible_experiments), ("draft", owned_experiments)):
        if name in asked:
            earlier = get_object_or_404(rows(request.user), pk=_number(asked[name]))
            values = values_of(design_of(earlier), request.user)
            if name == "draft" and earlier.state == Experiment.State.DRAFT:
                values["draft"] = str(earlier.pk)
            return values
    web = None
    if "web" in asked:
        web = get_object_or_404(recorded_webs(request.user), pk=_number(asked["web"]))
    values = new_values(request.user, web)
    return change(values, request.user, "leaderboard") if "leaderboard" in asked else values


def _number(text: str) -> int:
    number = whole_number(text)
    if number is None:
        raise Http404(text)
    return number


def _page(request: HttpRequest, values: QueryDict, *, show_errors: bool) -> HttpResponse:
    return _shown(request, NewExperimentForm(values, request.user), show_errors=show_errors)


def _shown(
    request: HttpRequest, found: NewExperimentForm, *, show_errors: bool, status: int = 200
) -> HttpResponse:
    context = context_of(found, show_errors=show_errors) | {
        "earlier": visible_experiments(request.user)[:EARLIER],
    }
    return render(request, "new_experiment/form.html", context, status=status)


def _changed(request: HttpRequest, found: NewExperimentForm) -> HttpResponse:
    """The form after a change that saves nothing."""
    if request.accepts("text/html"):
        return _shown(request, found, show_errors=False)
    return parts_json(request, found, context_of(found, show_errors=False))


def _toml(request: HttpRequest, found: NewExperimentForm) -> HttpResponse:
    """The design as a file, or the form with what stands against it."""
    try:
        found.is_valid()
        text = write_design(found.design())
    except Refused as refused:
        found.refuse(refused)
        return _shown(request, found, show_errors=True, status=422)
    return HttpResponse(text, content_type="application/toml", headers={
        "Content-Disposition": 'attachment; filename="experiment.toml"'})  # fmt: skip


def _save(
    request: HttpRequest, found: NewExperimentForm, *, start_it: bool
) -> Experiment | None:
    """The experiment, started if it shall be; None if it is refused, with the reason at its
    field. The draft that was changed is gone then."""
    try:
        with transaction.atomic():
            made = create_experiment(request.user, found.design())
            if start_it:
                start(made, request.user)
            _forget_draft(request, found.draft)
    except Refused as refused:
        found.refuse(refused)
        return None
    return made


def _forget_draft(request: HttpRequest, number: str) -> None:
    drafts = owned_experiments(request.user).filter(state=Experiment.State.DRAFT)
    if (draft := drafts.filter(pk=whole_number(number)).first()) is not None:
        delete_experiment(draft)
