"""Which cells workers run next: topic by topic, as many at once as there are background workers.

Only so many cells are enqueued, so that other background jobs wait for one cell at most.
"""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.experiments.events import note
from apps.experiments.models import Cell, Experiment, Preparation
from apps.jobs import queue

State = Cell.State
ENDED = (State.DONE, State.FAILED)


def at_once(experiment: Experiment) -> int:
    """How many cells of the experiment may run at once: on the live Web one, for politeness."""
    if not experiment.web.is_recorded:
        return 1
    workers: int = settings.BACKGROUND_WORKERS
    return min(int(experiment.design.get("at_once") or workers), workers)


def fill(experiment: Experiment) -> None:
    """Enqueues the next cells of a running experiment; ends it if there is none left."""
    with transaction.atomic():
        row = Experiment.objects.select_for_update().select_related(None).get(pk=experiment.pk)
        if row.state != Experiment.State.RUNNING or _is_being_prepared(row):
            return
        under_way = row.cells.filter(job_state__in=queue.UNFINISHED).count()
        waiting = row.cells.filter(job_state=State.NONE)
        if free := max(0, at_once(row) - under_way):
            queue.enqueue_all(list(waiting[:free]))
        if not under_way and not row.cells.exclude(job_state__in=ENDED).exists():
            _end(row)


def _is_being_prepared(experiment: Experiment) -> bool:
    """Whether topics are being frozen, whose cells cannot be run yet."""
    jobs = Preparation.objects.filter(experiment=experiment, job_state__in=queue.UNFINISHED)
    return jobs.exists()


def _end(experiment: Experiment) -> None:
    experiment.state = Experiment.State.FINISHED
    experiment.ended_at = timezone.now()
    experiment.save(update_fields=["state", "ended_at"])
    failed = experiment.cells.filter(job_state=State.FAILED).count()
    note(
        experiment,
        "finished",
        "All cells have ended." if not failed else f"All cells have ended; {failed:,} failed.",
    )


def tick() -> list[str]:
    """Goes on with every running experiment of which no cell is enqueued, and returns a log line
    for each. Cheap enough for the supervisor to call often."""
    done = []
    for experiment in Experiment.objects.filter(state=Experiment.State.RUNNING):
        under_way = experiment.cells.filter(job_state__in=queue.UNFINISHED).exists()
        if not under_way and not _is_being_prepared(experiment):
            fill(experiment)
            done.append(f"experiment {experiment.pk}: no cell was under way, went on")
    return done
