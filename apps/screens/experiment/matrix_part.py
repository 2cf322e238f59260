"""The part of an experiment's page with its matrix."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest

from apps.screens.experiment.matrix import Matrix, matrix
from apps.screens.experiment.matrix_measures import chosen_measure, switch
from apps.screens.experiment.page import ExperimentPage
from apps.screens.experiment.parts import MATRIX


def matrix_of(request: HttpRequest, page: ExperimentPage) -> Matrix:
    """The matrix that an address asks for."""
    measures = switch(page.experiment, page.design)
    chosen = chosen_measure(measures, request.GET.get("measure", ""), page.design)
    return matrix(page.experiment, page.design, chosen, request.GET.get("page"))


def context(request: HttpRequest, page: ExperimentPage) -> dict[str, Any]:
    """The matrix and its switch of measures."""
    found = matrix_of(request, page)
    measures = switch(page.experiment, page.design)
    return {
        "matrix": found,
        "measures": [(each, "?" + urlencode({"part": MATRIX, "measure": each.name}),
                      each.name == found.measure.name) for each in measures],
        "kept": urlencode({"part": MATRIX, "measure": found.measure.name}) + "&",
    }  # fmt: skip
