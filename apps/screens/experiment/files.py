"""An experiment as files: its design, its recipe, its numbers, its figures' values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBadRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect

from apps.accounts.requests import SignedInRequest
from apps.engine.errors import BadCheckpoint
from apps.experiments.design.toml_file import write_design
from apps.experiments.figures.files import every_csv, figure_csv, file_name
from apps.experiments.models import Experiment
from apps.experiments.recipe import design_of, recipe_of
from apps.experiments.results.outcomes import Outcomes, outcomes
from apps.experiments.results.tables import csv_of_cells, csv_of_p, csv_of_tests
from apps.experiments.selectors import visible_experiments
from apps.schemas.refused import Refused
from apps.screens.answers import attached, json_file
from apps.screens.experiment.figures_part import FiguresAddress, figure_named
from apps.screens.experiment.page import may_have_recipe
from apps.screens.experiment.results_address import ResultsAddress

NO_LETTERS = re.compile(r"[^a-z0-9]+")
PLAIN, CSV = "text/plain; charset=utf-8", "text/csv; charset=utf-8"


def toml(request: SignedInRequest, pk: int) -> HttpResponseBase:
    """The design as TOML."""
    experiment = _visible(request, pk)
    return HttpResponse(
        write_design(design_of(experiment)),
        content_type="application/toml",
        headers=attached(_file_name(experiment, ".toml")),
    )


def recipe(request: SignedInRequest, pk: int) -> HttpResponseBase:
    """The recipe as JSON, for those who may see all topics that it holds."""
    experiment = _visible(request, pk)
    if not may_have_recipe(request.user, experiment):
        raise Http404("It holds topics that are not shared.")
    try:
        data = recipe_of(experiment)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("experiment:experiment", pk)
    return json_file(data, _file_name(experiment, ".json"))


def rows(request: SignedInRequest, pk: int) -> HttpResponseBase:
    """Every cell over the crawl as CSV."""
    return _csv(request, pk, "-rows.csv", lambda results, address: csv_of_cells(results))


def tests(request: SignedInRequest, pk: int) -> HttpResponseBase:
    """The tests of every measure as CSV, against the baseline and by the test of the address."""
    return _csv(
        request,
        pk,
        "-tests.csv",
        lambda results, address: csv_of_tests(results, address.choice(results)),
    )


def p_values(request: SignedInRequest, pk: int) -> HttpResponseBase:
    """p over the crawl as CSV."""
    return _csv(
        request, pk, "-p.csv", lambda results, address: csv_of_p(results, address.choice(results))
    )


def figure(request: SignedInRequest, pk: int, figure: str) -> HttpResponseBase:
    """The values of one figure as CSV, unrounded. Raises Http404."""
    drawn = figure_named(figure)

    def make(experiment: Experiment, results: Outcomes) -> HttpResponseBase:
        address = FiguresAddress.read(request.GET)
        asked = address.select(results)
        views = drawn.views(asked)
        view = next((each for each in views if each.id == address.view), views[0])
        content = figure_csv(drawn.figure(asked, view.id))
        headers = attached(_file_name(experiment, f"-{file_name(drawn, view)}"))
        return HttpResponse(content, content_type=CSV, headers=headers)

    return _make_file(request, pk, make)


def figures(request: SignedInRequest, pk: int) -> HttpResponseBase:
    """Every figure that can be drawn, each of its views as CSV, in one ZIP."""

    def make(experiment: Experiment, results: Outcomes) -> HttpResponseBase:
        asked = FiguresAddress.read(request.GET).select(results)
        return HttpResponse(
            every_csv(asked),
            content_type="application/zip",
            headers=attached(_file_name(experiment, "-figures.zip")),
        )

    return _make_file(request, pk, make)


def _csv(
    request: SignedInRequest,
    pk: int,
    ending: str,
    lines: Callable[[Outcomes, ResultsAddress], Iterator[bytes]],
) -> HttpResponseBase:
    """The lines that are made of an experiment's outcomes."""

    def make(experiment: Experiment, results: Outcomes) -> HttpResponseBase:
        address = ResultsAddress.read(request.GET)
        address.choice(results)
        for cells in results.cells.values():  # a damaged one raises before anything is sent
            for outcome in cells:
                _ = outcome.samples
        return StreamingHttpResponse(
            lines(results, address),
            content_type=CSV,
            headers=attached(_file_name(experiment, ending)),
        )

    return _make_file(request, pk, make)


def _make_file(
    request: SignedInRequest, pk: int, make: Callable[[Experiment, Outcomes], HttpResponseBase]
) -> HttpResponseBase:
    """The download that is made; in words 400 for a choice that does not exist, 409 where a cell's
    result cannot be read."""
    experiment = _visible(request, pk)
    try:
        return make(experiment, outcomes(experiment))
    except Refused as refused:
        return HttpResponseBadRequest(refused.message, content_type=PLAIN)
    except BadCheckpoint as error:
        return HttpResponse(f"A result cannot be read: {error}.", status=409, content_type=PLAIN)


def _visible(request: SignedInRequest, pk: int) -> Experiment:
    return get_object_or_404(visible_experiments(request.user), pk=pk)


def _file_name(experiment: Experiment, ending: str) -> str:
    """`experiment-12-strategies-on-alder.toml`."""
    words = NO_LETTERS.sub("-", experiment.name.lower()).strip("-")[:60]
    return f"experiment-{experiment.pk}-{words}".rstrip("-") + ending
