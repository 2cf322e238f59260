"""Cells run in a command, beside the workers of a site that may take some of them."""

from __future__ import annotations

import pytest

from apps.experiments.cells import foreground
from apps.experiments.models import Experiment
from apps.jobs import queue
from tests.background import work_on
from tests.experiments.run_experiment import queued, started

pytestmark = pytest.mark.django_db


def test_it_ends_when_the_cells_that_a_worker_of_the_site_has_taken_have_ended(
    owner, topics, monkeypatch
):
    experiment = started(owner, topics=["bread 0"])
    taken = next(queued(experiment))
    queue.claim_here(taken)
    waits = []

    def the_worker_ends(seconds: float) -> None:
        waits.append(seconds)
        assert experiment.state == Experiment.State.RUNNING
        queue.enqueue(taken)
        work_on(taken)

    monkeypatch.setattr(foreground.time, "sleep", the_worker_ends)
    foreground.run_in_processes(experiment, 1)
    assert len(waits) == 1
    assert experiment.state == Experiment.State.FINISHED
    assert {cell.job_state for cell in experiment.cells.all()} == {"done"}
