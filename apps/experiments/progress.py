"""How far an experiment is."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone

from apps.experiments.cells.queueing import ENDED, at_once
from apps.experiments.models import Cell, Experiment


@dataclass(frozen=True, slots=True)
class Progress:
    """Counts of cells by state, and how long the rest will take.

    `pages` are those fetched so far, of `all_pages` at most. `seconds_left` and `pages_per_second`
    are None before anything can be said. `busy` of `workers` run cells now. `elapsed` is in seconds
    since the start, until the end.
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


def progress(experiment: Experiment) -> Progress:
    """The experiment's progress now."""
    rows = list(experiment.cells.order_by().values_list("job_state", "pages", "seconds"))
    states = [state for state, _, _ in rows]
    ended = sum(state in ENDED for state in states)
    running = states.count(Cell.State.WORKING)
    pages = sum(fetched for _, fetched, _ in rows)
    budget = int(experiment.design["pages"])
    speed = _speed(rows, at_once(experiment))
    left = sum(budget - min(fetched, budget) for state, fetched, _ in rows if state not in ENDED)
    going = experiment.state == Experiment.State.RUNNING
    return Progress(
        cells=len(rows), done=states.count(Cell.State.DONE), failed=states.count(Cell.State.FAILED),
        running=running, waiting=len(rows) - ended - running, pages=pages,
        all_pages=budget * len(rows), seconds_left=left / speed if speed and going else None,
        pages_per_second=speed if going else None, busy=running, workers=at_once(experiment),
        elapsed=_elapsed(experiment),
    )


def _speed(rows: list[tuple[str, int, float]], workers: int) -> float | None:
    """Pages a second of all workers together, by the cells that have ended."""
    done = [(pages, seconds) for state, pages, seconds in rows if state in ENDED and seconds > 0]
    seconds = sum(spent for _, spent in done)
    return workers * sum(pages for pages, _ in done) / seconds if seconds else None


def _elapsed(experiment: Experiment) -> float | None:
    if experiment.started_at is None:
        return None
    return ((experiment.ended_at or timezone.now()) - experiment.started_at).total_seconds()
