"""The papers' figures, drawn from an experiment."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema
from pydantic import Field

from apps.accounts.requests import SignedInRequest
from apps.api.refusals import Refusal
from apps.experiments.figures import FIGURES
from apps.experiments.figures.asked import Asked, asked_of
from apps.experiments.figures.paper_figure import PaperFigure
from apps.experiments.results.outcomes import outcomes
from apps.experiments.selectors import visible_experiments
from apps.experiments.studies.services import ensure_study

router = Router(tags=["experiments"])
MISSING = {404: Refusal, 422: Refusal}


class ViewOut(Schema):
    """One of the ways to draw a figure: a measure, a crawler, or (a) and (b) of a paper."""

    id: str
    title: str


class FigureOut(Schema):
    """A figure: its papers, the figures published there, and whether it can be drawn, with the
    sentence that reads it aloud or names the lack of the experiment."""

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


class ResultsQuery(Schema):
    pages: int | None = Field(
        None,
        ge=1,
        le=10**9,
        description="Pages fetched; left out: as named when the experiment was made.",
    )


class FigureQuery(ResultsQuery):
    view: str = Field("", max_length=60, description="A view; left out or unknown: the first.")


@router.get(
    "/{int:experiment_id}/figures",
    response={200: list[FigureOut], **MISSING},
    summary="List the papers’ figures",
)
def list_figures(request: SignedInRequest, experiment_id: int, wanted: Query[ResultsQuery]) -> Any:
    """Each figure with its views. What must be measured over the pages is queued if the experiment
    has ended, and is there about a minute later."""
    results = _results_at(request, experiment_id, wanted.pages)
    return [_described(figure, results) for figure in FIGURES]


@router.get(
    "/{int:experiment_id}/figures/{figure_id}",
    response={200: ValuesOut, **MISSING},
    summary="Show a figure’s values",
)
def show_figure(
    request: SignedInRequest, experiment_id: int, figure_id: str, wanted: Query[FigureQuery]
) -> Any:
    """The values of a figure in one of its views; no rows if it cannot be drawn."""
    figure = next((f for f in FIGURES if f.id == figure_id), None)
    if figure is None:
        raise Http404
    results = _results_at(request, experiment_id, wanted.pages)
    drawn = figure.figure(results, wanted.view)
    data = drawn.as_data()
    return {
        "id": figure.id,
        "view": figure.choose_view(results, wanted.view).id,
        "head": data.head,
        "sentence": drawn.reading or f"{drawn.empty}.",
        "rows": data.rows if drawn.has_values else [],
    }


def _results_at(request: SignedInRequest, experiment_id: int, pages: int | None) -> Asked:
    outcomes_of = outcomes(get_object_or_404(visible_experiments(request.user), pk=experiment_id))
    return asked_of(outcomes_of, pages, studied=ensure_study(outcomes_of))


def _described(figure: PaperFigure, results: Asked) -> dict[str, Any]:
    drawn = figure.figure(results)
    return {
        "id": figure.id,
        "title": figure.title,
        "paper": figure.paper,
        "published": figure.published,
        "views": figure.views(results),
        "can_be_drawn": drawn.has_values,
        "sentence": drawn.reading or f"{drawn.empty}.",
    }
