"""One cell of an experiment, and the full crawl it can be opened as."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from apps.crawls.errors import CrawlRefused
from apps.crawls.selectors import visible_crawls
from apps.engine.evaluation import MEASURES
from apps.engine.evaluation.measure import Measure
from apps.experiments.models import Cell
from apps.experiments.selectors import editable_experiments, visible_experiments
from apps.experiments.services import open_as_crawl
from apps.figures.units import UNITS
from apps.schemas.input import Refused
from apps.screens.experiment.matrix import columns_of
from apps.screens.experiment.page import experiment_page
from apps.screens.experiment.reasons import failure


@dataclass(frozen=True, slots=True)
class Figure:
    """A measure at the cell's end, in words."""

    measure: type[Measure]
    words: str


def cell(request: HttpRequest, pk: int, cell: int) -> HttpResponse:
    """What a cell found, or why it failed."""
    experiment = get_object_or_404(visible_experiments(request.user), pk=pk)
    found = _cell(experiment.cells, cell)
    column = next(c for c in columns_of(experiment) if c.crawler.pk == found.crawler_id)
    crawl = found.crawl_id and visible_crawls(request.user).filter(pk=found.crawl_id).first()
    return render(request, "experiment/cell.html", {
        "experiment": experiment, "cell": found, "column": column, "crawl": crawl,
        "page": experiment_page(experiment, request.user), "figures": list(_figures(found)),
        "failure": failure(found) if found.job_state == Cell.State.FAILED else None,
        "milliseconds": 1000 * found.cpu_seconds / found.pages if found.pages else None,
    })


@require_POST
def open_crawl(request: HttpRequest, pk: int, cell: int) -> HttpResponse:
    """Starts a full crawl that does what the cell did; leads to it, also the second time."""
    experiment = get_object_or_404(editable_experiments(request.user), pk=pk)
    found = _cell(experiment.cells, cell)
    try:
        crawl = open_as_crawl(found, request.user)
    except (Refused, CrawlRefused) as refused:
        messages.error(request, refused.message)
        return redirect("experiment:cell", pk, cell)
    return redirect("live:crawl", crawl.pk)


def _cell(cells: object, pk: int) -> Cell:
    rows = cells.select_related("topic__topic", "crawler", "experiment__web", "crawl")
    return get_object_or_404(rows, pk=pk)


def _figures(cell: Cell) -> Iterator[Figure]:
    for measure in MEASURES:
        value = cell.metrics.get(measure.id)
        if value is not None:
            yield Figure(measure, UNITS[measure.unit].say(value))
