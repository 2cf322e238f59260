"""How far an experiment is."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.utils import timezone

from apps.experiments.cells.queueing import ENDED, at_once
from apps.experiments.models import Cell, Experiment

CellRow = tuple[str, int, float]
"""State, pages and seconds of a cell."""


@dataclass(frozen=True, slots=True)
class ExperimentProgress:
    """Counts of cells by state, and how long the rest will take.

    `pages` are those fetched so far, of `all_pages` at most. `seconds_left` and `pages_per_second`
    are None before there is anything to reckon with. `busy` of `workers` run cells now. `elapsed`
    is in seconds since the start, until the end.
    """

    cells: int
    done: int
    failed: int
    running: int
    waiting: int
    pages: int
    all_pages: int
    seconds_left: float | None
    pages_per_second: float | None
    busy: int
    workers: int
    elapsed: float | None

    @property
    def share(self) -> float:
        """How much of the experiment has ended, 0–1."""
        return (self.done + self.failed) / self.cells if self.cells else 0.0


def progress(experiment: Experiment) -> ExperimentProgress:
    """The experiment's progress now."""
    return progress_of_each([experiment])[experiment.pk]


def progress_of_each(experiments: Collection[Experiment]) -> dict[int, ExperimentProgress]:
    """The progress of experiments by key, in one query."""
    cells: dict[int, list[CellRow]] = {experiment.pk: [] for experiment in experiments}
    rows = Cell.objects.filter(experiment__in=cells).order_by()
    columns = rows.values_list("experiment", "job_state", "pages", "seconds")
    for key, state, pages, seconds in columns:
        cells[key].append((state, pages, seconds))
    return {
        experiment.pk: _progress(experiment, cells[experiment.pk]) for experiment in experiments
    }


def _progress(experiment: Experiment, rows: Sequence[CellRow]) -> ExperimentProgress:
    states = [state for state, _, _ in rows]
    ended = sum(state in ENDED for state in states)
    running = states.count(Cell.State.WORKING)
    pages = sum(fetched for _, fetched, _ in rows)
    budget = int(experiment.design["pages"])
    speed = _speed(rows, at_once(experiment))
    left = sum(budget - min(fetched, budget) for state, fetched, _ in rows if state not in ENDED)
    going = experiment.state == Experiment.State.RUNNING
    return ExperimentProgress(
        cells=len(rows),
        done=states.count(Cell.State.DONE),
        failed=states.count(Cell.State.FAILED),
        running=running,
        waiting=len(rows) - ended - running,
        pages=pages,
        all_pages=budget * len(rows),
        seconds_left=left / speed if speed and going else None,
        pages_per_second=speed if going else None,
        busy=running,
        workers=at_once(experiment),
        elapsed=_elapsed(experiment),
    )


def _speed(rows: Sequence[CellRow], workers: int) -> float | None:
    """Pages a second of all workers together, by the cells that have ended."""
    done = [(pages, seconds) for state, pages, seconds in rows if state in ENDED and seconds > 0]
    seconds = sum(spent for _, spent in done)
    return workers * sum(pages for pages, _ in done) / seconds if seconds else None


def _elapsed(experiment: Experiment) -> float | None:
    if experiment.started_at is None:
        return None
    return ((experiment.ended_at or timezone.now()) - experiment.started_at).total_seconds()
