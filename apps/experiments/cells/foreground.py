"""Runs an experiment without the site's workers: in this process, or in several of its own."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable

from django.conf import settings

from apps.experiments.cells.queueing import fill
from apps.experiments.models import Cell, Experiment
from apps.jobs import queue, tasks

POLL_SECONDS = 0.5
COMMAND = "run_cells"


def run_cells(experiment: Experiment, report: Callable[[], object] = lambda: None) -> None:
    """Runs queued cells one after the other until none is left; `report` is called after each.

    Other processes may run its cells at the same time.
    """
    while (cell := _next(experiment)) is not None:
        tasks.run(cell._meta.label_lower, cell.pk, cell.job_attempt)
        report()
    experiment.refresh_from_db()


def run_in_processes(
    experiment: Experiment, processes: int, report: Callable[[], object] = lambda: None
) -> None:
    """Runs all cells in so many processes; `report` is called twice a second. Returns when the
    experiment has ended or is paused, whoever runs its last cells.

    What a process that was killed left is run in this one.
    """
    command = [*settings.COMMAND_LINE, COMMAND, str(experiment.pk)]
    others = [subprocess.Popen(command) for _ in range(processes)] if processes > 1 else []
    try:
        for other in others:
            while other.poll() is None:
                _wait(other)
                report()
    finally:
        for other in others:
            other.terminate()
    while True:
        queue.requeue_lost()
        run_cells(experiment, report)
        report()
        if experiment.state != Experiment.State.RUNNING:
            return
        time.sleep(POLL_SECONDS)  # the site's workers have the other cells


def _wait(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(POLL_SECONDS)
    except subprocess.TimeoutExpired:
        return


def _next(experiment: Experiment) -> Cell | None:
    waiting = experiment.cells.filter(job_state=Cell.State.WAITING)
    if not waiting.exists():
        fill(experiment)
    return waiting.first()
