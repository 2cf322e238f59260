"""New experiment: the form, the same from a file, and what is added to one later."""

from __future__ import annotations

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render

from apps.accounts.requests import SignedInRequest
from apps.experiments.design.toml_file import write_design
from apps.experiments.models import Experiment
from apps.experiments.recipe import design_of
from apps.experiments.selectors import owned_experiments, visible_experiments
from apps.experiments.services import create_experiment, delete_experiment, start
from apps.papers.services import design_on
from apps.papers.setting_up import Sizes
from apps.schemas.numbers import whole_number
from apps.schemas.refused import Refused
from apps.screens.form_tokens import form_token, new_form_token
from apps.screens.new_experiment.changes import change
from apps.screens.new_experiment.context import context_of, parts_json
from apps.screens.new_experiment.forms import NewExperimentForm
from apps.screens.new_experiment.starting_points import new_values, values_of
from apps.webs.models import Web
from apps.webs.selectors import recorded_webs

SAVES = ("start", "draft")
EARLIER = 8


def form(request: SignedInRequest) -> HttpResponse:
    """The form of a new experiment, of a copy (`?copy=`) or of a draft that is changed (`?draft=`).

    `do` names the button that was pressed; a script gets the parts that change as JSON.
    """
    if request.method != "POST":
        return _page(request, _first_values(request), show_errors=False)
    do = request.POST.get("do", "")
    sent = change(request.POST, request.user, do)
    form = NewExperimentForm(sent, request.user)
    if do == "toml":
        return _toml(request, form)
    if do not in SAVES:
        return _render_change(request, form)
    experiment = _save(request, form, start_it=do == "start") if form.is_valid() else None
    if experiment is None:
        return _render(request, form, show_errors=True, status=422)
    return redirect("experiment:experiment", experiment.pk)


def _first_values(request: SignedInRequest) -> QueryDict:
    """The initial values from the query string."""
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
    if web is not None and "protocol" in asked:
        return _of_protocol(request, asked["protocol"], web)
    values = new_values(request.user, web)
    return change(values, request.user, "leaderboard") if "leaderboard" in asked else values


def _of_protocol(request: SignedInRequest, protocol: str, web: Web) -> QueryDict:
    """The values that a paper's protocol fills in on a web."""
    topics, pages = (whole_number(request.GET.get(name, "")) for name in ("topics", "pages"))
    try:
        design = design_on(request.user, protocol, web, Sizes(topics=topics, pages=pages))
    except Refused as refused:
        messages.error(request, refused.message)
        return new_values(request.user, web)
    if not design.topics:
        messages.info(
            request,
            "Choose its topics: the protocol makes its own of the web’s labels when it is run.",
        )
    return values_of(design, request.user)


def _number(text: str) -> int:
    number = whole_number(text)
    if number is None:
        raise Http404(text)
    return number


def _page(request: SignedInRequest, values: QueryDict, *, show_errors: bool) -> HttpResponse:
    values["form_token"] = new_form_token()
    return _render(request, NewExperimentForm(values, request.user), show_errors=show_errors)


def _render(
    request: SignedInRequest, form: NewExperimentForm, *, show_errors: bool, status: int = 200
) -> HttpResponse:
    context = context_of(form, show_errors=show_errors) | {
        "earlier": visible_experiments(request.user)[:EARLIER],
    }
    return render(request, "new_experiment/form.html", context, status=status)


def _render_change(request: SignedInRequest, form: NewExperimentForm) -> HttpResponse:
    """The form after a change that saves nothing."""
    if request.accepts("text/html"):
        return _render(request, form, show_errors=False)
    return parts_json(request, form, context_of(form, show_errors=False))


def _toml(request: SignedInRequest, form: NewExperimentForm) -> HttpResponse:
    """The design as a file, or the form with what stands against it."""
    try:
        form.is_valid()
        text = write_design(form.design())
    except Refused as refused:
        form.refuse(refused)
        return _render(request, form, show_errors=True, status=422)
    return HttpResponse(
        text,
        content_type="application/toml",
        headers={"Content-Disposition": 'attachment; filename="experiment.toml"'},
    )


def _save(
    request: SignedInRequest, form: NewExperimentForm, *, start_it: bool
) -> Experiment | None:
    """The experiment, started if it shall be, the same one if the form was sent before; None if it
    is refused, with the reason at its field. The draft that was changed is deleted then."""
    token = form_token(request.POST)
    sent_before = Experiment.objects.filter(owner=request.user, form_token=token)
    try:
        with transaction.atomic():
            experiment = create_experiment(request.user, form.design(), form_token=token)
            if start_it:
                start(experiment, request.user)
    except Refused as refused:
        form.refuse(refused)
        return None
    except IntegrityError:
        return sent_before.get()
    _forget_draft(request, form.draft)
    return experiment


def _forget_draft(request: SignedInRequest, number: str) -> None:
    drafts = owned_experiments(request.user).filter(state=Experiment.State.DRAFT)
    if (draft := drafts.filter(pk=whole_number(number) or 0).first()) is not None:
        delete_experiment(draft)
