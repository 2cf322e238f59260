"""The part of an experiment's page with its matrix."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from apps.accounts.requests import SignedInRequest
from apps.screens.experiment.matrix import Matrix, matrix
from apps.screens.experiment.matrix_measures import chosen_measure, switch
from apps.screens.experiment.page import ExperimentPage
from apps.screens.experiment.parts import MATRIX


def matrix_of(request: SignedInRequest, page: ExperimentPage) -> Matrix:
    """The matrix that an address asks for."""
    measures = switch(page.experiment, page.design)
    chosen = chosen_measure(measures, request.GET.get("measure", ""), page.design)
    return matrix(page.experiment, page.design, chosen, request.GET.get("page"))


def context(request: SignedInRequest, page: ExperimentPage) -> dict[str, Any]:
    """The matrix and its switch of measures."""
    matrix = matrix_of(request, page)
    measures = switch(page.experiment, page.design)
    return {
        "matrix": matrix,
        "measures": [
            (
                each,
                "?" + urlencode({"part": MATRIX, "measure": each.name}),
                each.name == matrix.measure.name,
            )
            for each in measures
        ],
        "kept": urlencode({"part": MATRIX, "measure": matrix.measure.name}) + "&",
    }
