"""Experiments: made, run, paused, extended, and what they show."""

from __future__ import annotations

from typing import Annotated, Any

from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status
from pydantic import Field

from apps.accounts.requests import SignedInRequest
from apps.api.filters import check_search, with_search
from apps.api.paging import ListPage, Paging, paged
from apps.api.refusals import Refusal
from apps.experiments import services
from apps.experiments.design.schema import CrawlerDesign, Design
from apps.experiments.listing import ExperimentListing, ExperimentSearch
from apps.experiments.models import Experiment
from apps.experiments.progress import ExperimentProgress
from apps.experiments.recipe import ExperimentRecipe, import_experiment, recipe_of
from apps.experiments.results.choice import choose
from apps.experiments.results.outcomes import outcomes
from apps.experiments.results.paired_tests import Method
from apps.experiments.results.plain import as_dict
from apps.experiments.selectors import (
    editable_experiments,
    owned_experiments,
    visible_experiments,
)
from apps.experiments.services import VERBS
from apps.experiments.summaries import cell_summary, summary
from apps.schemas.one_of import OneOf

router = Router(tags=["experiments"])
REFUSED = {404: Refusal, 409: Refusal, 422: Refusal}
Verb = Annotated[str, OneOf(VERBS)]


class TopicOut(Schema):
    """A topic of an experiment; `judged_by` is null before the start."""

    name: str
    targets: int
    judged_by: str | None


class CrawlerOut(Schema):
    """A strategy with all its parameters; `label` distinguishes it from the other crawlers."""

    label: str
    strategy: str
    parameters: dict[str, Any]
    parent_policy: str


class SameOut(Schema):
    """How many cells have exactly the numbers of the recipe, of how many that can be compared."""

    same: int
    of: int


class PreparationOut(Schema):
    """Topics that are being frozen."""

    topics: int
    prepared: int


class ExperimentOut(Schema):
    """An experiment. Its crawlers are compared with number `baseline` of them, from 1, by `measure`
    at `at` pages. `preparation` counts the topics that are frozen so far; null if none is being
    frozen."""

    experiment: int
    name: str
    note: str
    state: str
    web: str
    topics: list[TopicOut]
    crawlers: list[CrawlerOut]
    baseline: int
    measure: str
    at: int
    pages: int
    repetitions: int
    random_seed: int
    judge: str
    preparation: PreparationOut | None
    progress: ExperimentProgress
    same_as_recipe: SameOut | None
    created_at: str
    started_at: str | None
    ended_at: str | None


class ExperimentPageOut(ListPage):
    items: list[ExperimentOut]


class CellOut(Schema):
    """One crawl of a topic by a crawler; equal digests mean equal numbers."""

    cell: int
    topic: str
    crawler: str
    repetition: int
    random_seed: int
    state: str
    reason: str | None
    problem: str | None
    pages: int
    requests: int
    seconds: float
    cpu_seconds: float
    digest: str | None
    crawl: int | None
    metrics: dict[str, Any]


class CellPage(ListPage):
    items: list[CellOut]


class ResultsWanted(Schema):
    """How to compare; left out: as named when the experiment was made."""

    measure: str = Field("", max_length=60, description="A measure.")
    at: str = Field("", max_length=20, description="Pages fetched, or area.")
    baseline: str = Field("", max_length=10, description="The position of a crawler, from 1.")
    test: str = Field("", max_length=20, description=f"One of {', '.join(Method)}.")


class MoreTopics(Schema):
    topics: list[str] = Field(max_length=1_000)


class MoreCrawlers(Schema):
    crawlers: list[CrawlerDesign] = Field(max_length=60)


class RetryCells(Schema):
    """How many failed cells are tried again."""

    cells: int


@with_search(ExperimentSearch)
class ExperimentFilter(Paging):
    """A search of the list of experiments; several values of one filter are alternatives."""


@router.get("", response=ExperimentPageOut, summary="List experiments")
def list_experiments(request: SignedInRequest, wanted: Query[ExperimentFilter]) -> Any:
    """Your own experiments and those shared with you, newest first."""
    search = check_search(request, ExperimentSearch.read(request.GET))
    rows = ExperimentListing(visible_experiments(request.user), search).matches
    return paged(rows, wanted, summary)


@router.post("", response={201: ExperimentOut, **REFUSED}, summary="Make an experiment")
def make_experiment(request: SignedInRequest, sent: Design, start: bool = False) -> Any:
    """A draft with a cell for each topic, crawler and repetition; with `start` it runs at once."""
    experiment = services.create_experiment(request.user, sent)
    if start:
        services.start(experiment, request.user)
    return Status(201, summary(experiment))


@router.post("/recipes", response={201: ExperimentOut, **REFUSED}, summary="Import a recipe")
def take_experiment(request: SignedInRequest, sent: ExperimentRecipe) -> Any:
    """A draft of an experiment from its recipe, and its topics unless you have the same ones: start
    it once their examples are fetched."""
    return Status(201, summary(import_experiment(request.user, sent)))


@router.get(
    "/{int:experiment_id}",
    response={200: ExperimentOut, 404: Refusal},
    summary="Show an experiment",
)
def show_experiment(request: SignedInRequest, experiment_id: int) -> Any:
    """An experiment with its progress."""
    return summary(_visible(request, experiment_id))


@router.delete(
    "/{int:experiment_id}", response={204: None, **REFUSED}, summary="Delete an experiment"
)
def remove_experiment(request: SignedInRequest, experiment_id: int) -> Any:
    """Deletes your experiment with its results; its topics and opened crawls stay."""
    services.delete_experiment(get_object_or_404(owned_experiments(request.user), pk=experiment_id))
    return Status(204, None)


@router.get(
    "/{int:experiment_id}/cells", response={200: CellPage, 404: Refusal}, summary="List cells"
)
def list_cells(request: SignedInRequest, experiment_id: int, wanted: Query[Paging]) -> Any:
    """The cells, topic by topic."""
    cells = _visible(request, experiment_id).cells.select_related("topic", "crawler")
    return paged(cells, wanted, cell_summary)


@router.get(
    "/{int:experiment_id}/results",
    response={200: dict[str, Any], **REFUSED},
    summary="Compare the crawlers",
)
def results(request: SignedInRequest, experiment_id: int, wanted: Query[ResultsWanted]) -> Any:
    """Means over topics, differences to the baseline with intervals and tests, sentences, and what
    the data cannot carry. There are no tests before the last cell has ended."""
    compared = outcomes(_visible(request, experiment_id))
    return as_dict(compared, choose(compared, **wanted.model_dump()))


@router.get(
    "/{int:experiment_id}/recipe",
    response={200: dict[str, Any], **REFUSED},
    summary="Export an experiment’s recipe",
)
def show_recipe(request: SignedInRequest, experiment_id: int) -> Any:
    """Everything needed to run it again to the same numbers: design, topics, digests."""
    return recipe_of(_visible(request, experiment_id))


@router.post(
    "/{int:experiment_id}/topics", response={200: ExperimentOut, **REFUSED}, summary="Add topics"
)
def more_topics(request: SignedInRequest, experiment_id: int, sent: MoreTopics) -> Any:
    """Adds topics, by name; every crawler crawls them."""
    experiment = _edited(request, experiment_id)
    services.add_topics(experiment, sent.topics, request.user)
    return summary(experiment)


@router.post(
    "/{int:experiment_id}/crawlers",
    response={200: ExperimentOut, **REFUSED},
    summary="Add crawlers",
)
def more_crawlers(request: SignedInRequest, experiment_id: int, sent: MoreCrawlers) -> Any:
    """Adds crawlers; they crawl every topic."""
    experiment = _edited(request, experiment_id)
    services.add_crawlers(experiment, sent.crawlers, request.user)
    return summary(experiment)


@router.post(
    "/{int:experiment_id}/failed/again",
    response={200: RetryCells, **REFUSED},
    summary="Try failed cells again",
)
def again(request: SignedInRequest, experiment_id: int) -> Any:
    """Runs every failed cell again, from its last checkpoint."""
    cells = _edited(request, experiment_id).cells.select_related("experiment")
    return {"cells": services.try_again(cells, request.user)}


@router.post(
    "/{int:experiment_id}/{verb}",
    response={200: ExperimentOut, **REFUSED},
    summary="Start, pause, continue or stop",
)
def act(request: SignedInRequest, experiment_id: int, verb: Verb) -> Any:
    """Running cells keep what they have when the experiment pauses or stops."""
    experiment = _edited(request, experiment_id)
    VERBS[verb](experiment, request.user)
    experiment.refresh_from_db()
    return summary(experiment)


def _visible(request: SignedInRequest, experiment_id: int) -> Experiment:
    return get_object_or_404(visible_experiments(request.user), pk=experiment_id)


def _edited(request: SignedInRequest, experiment_id: int) -> Experiment:
    return get_object_or_404(editable_experiments(request.user), pk=experiment_id)
