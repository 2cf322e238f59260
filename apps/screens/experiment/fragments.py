"""The pieces of an experiment's page that change while it is open, each with a stamp."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.template.loader import render_to_string

from apps.experiments.models import Experiment
from apps.screens.experiment.event_rows import event_rows
from apps.screens.experiment.matrix import Matrix
from apps.screens.experiment.page import ExperimentPage, failed_cells
from apps.screens.experiment.parts import ExperimentTab
from apps.screens.experiment.reasons import failure
from apps.screens.stamps import Piece

SHOWN_EVENTS = 5


def pieces(
    page: ExperimentPage, parts: Sequence[ExperimentTab], person: User, matrix: Matrix | None
) -> dict[str, Piece]:
    """The pieces by their ids; those of the matrix where it is shown.

    They hold no form, whose token would make each of them new: buttons name the page's form.
    """
    common = {"page": page, "experiment": page.experiment, "parts": parts}
    names = ("state_badge", "verbs", "stop_words", "progress", "parts")
    made = {name: _html(name, common) for name in names}
    if matrix is not None:
        failures = [failure(cell) for cell in failed_cells(page.experiment)]
        made |= {
            "means": _html("means", {"matrix": matrix}),
            "failed": _html("failed", common | {"failures": failures}),
            "events": _html("events", _events(page.experiment, person)),
        }
    return {name: Piece(name, html) for name, html in made.items()}


def row_html(row: Any, matrix: Matrix) -> str:
    """A row of the matrix, as at load."""
    return render_to_string("experiment/matrix_row.html", {"row": row, "matrix": matrix})


def _events(experiment: Experiment, person: User) -> dict[str, Any]:
    events = experiment.events.select_related("by")
    return {
        "rows": event_rows(events[:SHOWN_EVENTS], person),
        "experiment": experiment,
        "more": max(0, events.count() - SHOWN_EVENTS),
    }


def _html(name: str, context: dict[str, Any]) -> str:
    return render_to_string(f"experiment/{name}.html", context).strip()
