"""One cell of an experiment, and the full crawl it can be opened as."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.crawls.errors import CrawlRefused
from apps.crawls.measures.estimates import shown_value
from apps.crawls.selectors import visible_crawls
from apps.engine.evaluation import MEASURES
from apps.engine.evaluation.measure import Measure
from apps.experiments.models import Cell
from apps.experiments.selectors import editable_experiments, visible_experiments
from apps.experiments.services import open_as_crawl
from apps.figures.units import UNITS
from apps.schemas.refused import Refused
from apps.screens.experiment.matrix import columns_of
from apps.screens.experiment.page import experiment_page
from apps.screens.experiment.reasons import failure


@dataclass(frozen=True, slots=True)
class CellMeasure:
    """A measure at the cell's end, in words."""

    measure: type[Measure]
    words: str


def cell(request: SignedInRequest, pk: int, cell: int) -> HttpResponse:
    """The results of a cell, or why it failed."""
    experiment = get_object_or_404(visible_experiments(request.user), pk=pk)
    row = _cell(experiment.cells.all(), cell)
    column = next(c for c in columns_of(experiment) if c.crawler.pk == row.crawler_id)
    crawl = row.crawl_id and visible_crawls(request.user).filter(pk=row.crawl_id).first()
    return render(
        request,
        "experiment/cell.html",
        {
            "experiment": experiment,
            "cell": row,
            "column": column,
            "crawl": crawl,
            "page": experiment_page(experiment, request.user),
            "figures": list(_figures(row)),
            "failure": failure(row) if row.job_state == Cell.State.FAILED else None,
            "milliseconds": 1000 * row.cpu_seconds / row.pages if row.pages else None,
        },
    )


@require_POST
def open_crawl(request: SignedInRequest, pk: int, cell: int) -> HttpResponse:
    """Starts a full crawl that does what the cell did; leads to it, also the second time."""
    experiment = get_object_or_404(editable_experiments(request.user), pk=pk)
    row = _cell(experiment.cells.all(), cell)
    try:
        crawl = open_as_crawl(row, request.user)
    except (Refused, CrawlRefused) as refused:
        messages.error(request, refused.message)
        return redirect("experiment:cell", pk, cell)
    return redirect("live:crawl", crawl.pk)


def _cell(cells: QuerySet[Cell], pk: int) -> Cell:
    rows = cells.select_related("topic__topic", "crawler", "experiment__web", "crawl")
    return get_object_or_404(rows, pk=pk)


def _figures(cell: Cell) -> Iterator[CellMeasure]:
    for measure in MEASURES:
        value = shown_value(cell.metrics, measure.id)
        if value is not None:
            yield CellMeasure(measure, UNITS[measure.unit].write(value))
