"""Running an experiment in a command, with a bar on stderr."""

from __future__ import annotations

import os
from typing import Any

from apps.experiments.cells.foreground import run_in_processes
from apps.experiments.cells.queueing import at_once
from apps.experiments.models import Experiment
from apps.experiments.preparation import prepare_here
from apps.experiments.progress import progress
from apps.experiments.services import start
from apps.jobs.bar import progress_bar
from apps.topics import tasks
from apps.topics.models import Topic


def run_with_progress(experiment: Experiment, processes: int | None, by: Any = None) -> None:
    """Prepares the topics, then starts the experiment and runs it to its end.

    `processes` is by default one for each core. Raises Refused, EngineError.
    """
    prepare_topics(experiment)
    start(experiment, by)
    prepare_here(experiment)
    cores = processes or os.cpu_count() or 1
    with progress_bar(total=experiment.cells.count(), unit="cell") as bar:

        def report() -> None:
            now = progress(experiment)
            bar.set_postfix(failed=now.failed, pages=f"{now.pages:,}", refresh=False)
            bar.update(now.done + now.failed - bar.n)

        run_in_processes(experiment, min(cores, at_once(experiment)), report)


def prepare_topics(experiment: Experiment) -> None:
    """Fetches the examples of topics that wait for it, and trains, in this process."""
    waiting = Topic.objects.filter(
        pk__in=experiment.topics.values("topic"), job_state=Topic.State.WAITING
    )
    for topic in progress_bar(list(waiting), desc="Preparing topics", unit="topic"):
        tasks.run_here(topic)
