"""The papers' figures, drawn from an experiment."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema
from pydantic import Field

from apps.api.refusals import Refusal
from apps.experiments.figures import FIGURES
from apps.experiments.figures.asked import Asked, asked_of
from apps.experiments.figures.paper_figure import PaperFigure
from apps.experiments.outcomes import outcomes
from apps.experiments.selectors import visible_experiments
from apps.experiments.studies.services import ensure_study

router = Router(tags=["experiments"])
MISSING = {404: Refusal, 422: Refusal}


class ViewOut(Schema):
    """One of the ways to draw a figure: a measure, a crawler, or (a) and (b) of a paper."""

    id: str
    title: str


class FigureOut(Schema):
    """A figure: the papers it is in, what is published there, and whether it can be drawn, with the
    sentence that reads it aloud or says what the experiment lacks."""

    id: str
    title: str
    paper: str
    published: str
    views: list[ViewOut]
    can_be_drawn: bool
    sentence: str


class ValuesOut(Schema):
    """A figure's values as they were computed: rows under the names in `head`, null if unknown."""

    id: str
    view: str
    sentence: str
    head: list[str]
    rows: list[list[Any]]


class At(Schema):
    pages: int | None = Field(
        None, ge=1, le=10**9,
        description="Pages fetched; left out: as named when the experiment was made.")


class Drawn(At):
    view: str = Field("", max_length=60, description="A view; left out or unknown: the first.")


@router.get("/{int:experiment_id}/figures", response={200: list[FigureOut], **MISSING},
            summary="List the papers’ figures")  # fmt: skip
def list_figures(request: HttpRequest, experiment_id: int, asked: Query[At]) -> Any:
    """Each figure with its views. What must be measured over the pages is queued if the experiment
    has ended, and is there about a minute later."""
    found = _asked(request, experiment_id, asked.pages)
    return [_described(figure, found) for figure in FIGURES]


@router.get("/{int:experiment_id}/figures/{figure_id}", response={200: ValuesOut, **MISSING},
            summary="Show a figure’s values")  # fmt: skip
def show_figure(
    request: HttpRequest, experiment_id: int, figure_id: str, asked: Query[Drawn]
) -> Any:
    """The values of a figure in one of its views; no rows if it cannot be drawn."""
    figure = next((each for each in FIGURES if each.id == figure_id), None)
    if figure is None:
        raise Http404
    found = _asked(request, experiment_id, asked.pages)
    drawn = figure.figure(found, asked.view)
    data = drawn.as_data()
    return {"id": figure.id, "view": figure.chosen(found, asked.view).id, "head": data.head,
            "sentence": drawn.reading or f"{drawn.empty}.",
            "rows": data.rows if drawn.has_values else []}  # fmt: skip


def _asked(request: HttpRequest, experiment_id: int, pages: int | None) -> Asked:
    found = outcomes(get_object_or_404(visible_experiments(request.user), pk=experiment_id))
    return asked_of(found, pages, studied=ensure_study(found))


def _described(figure: PaperFigure, found: Asked) -> dict[str, Any]:
    drawn = figure.figure(found)
    return {
        "id": figure.id, "title": figure.title, "paper": figure.paper,
        "published": figure.published, "views": figure.views(found),
        "can_be_drawn": drawn.has_values, "sentence": drawn.reading or f"{drawn.empty}.",
    }  # fmt: skip
