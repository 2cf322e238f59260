"""An experiment from a TOML file, which fills the form, or from a recipe, which makes a draft."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from apps.accounts.requests import SignedInRequest
from apps.experiments.design.schema import Design
from apps.experiments.design.toml_file import read_design
from apps.experiments.design.variants import variants
from apps.experiments.recipe import ExperimentRecipe, import_experiment
from apps.experiments.selectors import web_named
from apps.recipes.recipe import MOST_BYTES, TOO_LARGE
from apps.schemas.json_text import read_json
from apps.schemas.refused import Refused
from apps.screens.new_experiment.context import context_of
from apps.screens.new_experiment.forms import NewExperimentForm
from apps.screens.new_experiment.starting_points import values_of

MOST_TEXT = 100_000


def from_file(request: SignedInRequest) -> HttpResponse:
    """Takes a file or its text. A design fills the form, in which nothing is stored before Save; a
    recipe becomes a draft, with topics that are not here."""
    refusal, text = "", ""
    if request.method == "POST":
        try:
            content = _read_upload(request)
            text = content[:MOST_TEXT].decode(errors="replace").replace("\0", "")
            return _read(request, content)
        except Refused as refused:
            refusal = str(refused)
    return render(
        request,
        "new_experiment/file.html",
        {"refusal": refusal, "text": text},
        status=422 if refusal else 200,
    )


def _read_upload(request: SignedInRequest) -> bytes:
    file = request.FILES.get("file")
    if file is None:
        return request.POST.get("text", "").encode(errors="replace")
    if (file.size or 0) > MOST_BYTES:
        raise Refused("file", TOO_LARGE)
    return bytes(file.read())


def _read(request: SignedInRequest, content: bytes) -> HttpResponse:
    if not content.strip():
        raise Refused("file", "Choose a file, or paste its text.")
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        recipe = ExperimentRecipe.read(read_json(content, "The file"))
        made = import_experiment(request.user, recipe)
        messages.success(
            request,
            "The recipe is imported as a draft. Start it once its topics’ examples are fetched.",
        )
        return redirect("experiment:experiment", made.pk)
    return _filled_form(request, read_design(content))


def _filled_form(request: SignedInRequest, design: Design) -> HttpResponse:
    web = web_named(request.user, design.web)
    variants(design)
    form = NewExperimentForm(values_of(design, request.user), request.user)
    gone = [name for name in design.topics if name not in form.topics.names]
    if gone:
        messages.warning(
            request,
            f"Not chosen, since they are not ready on {web.name}:"
            f" {', '.join(gone[:10])}{' …' if len(gone) > 10 else ''}.",
        )
    return render(request, "new_experiment/form.html", context_of(form, show_errors=False))
