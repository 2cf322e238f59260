"""An experiment's state badge: word, icon, colour, and the sentence beside it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from django.db.models import Min
from django.utils import timezone

from apps.experiments.models import Cell, Experiment, Preparation
from apps.experiments.progress import ExperimentProgress
from apps.figures.quantities import count, duration, number_of
from apps.screens.live.state_badge import StateBadge, Tone

State = Experiment.State
SILENT_AFTER = timedelta(seconds=30)
LOOKS: Mapping[str, tuple[Tone, str]] = {
    State.DRAFT: ("quiet", "draft"),
    State.PREPARING: ("quiet", "clock"),
    State.RUNNING: ("ok", "play"),
    State.PAUSED: ("warn", "pause"),
    State.STOPPED: ("quiet", "stop"),
    State.FINISHED: ("quiet", "check"),
}


def state_badge(experiment: Experiment, now: ExperimentProgress) -> StateBadge:
    """The badge of an experiment that has come so far."""
    tone, icon = LOOKS[experiment.state]
    word = State(experiment.state).label
    return StateBadge(word, tone, icon, _reason(experiment, now), None)


def _reason(experiment: Experiment, now: ExperimentProgress) -> str:
    ended = now.done + now.failed
    match experiment.state:
        case State.DRAFT:
            return f"not started; {number_of(now.cells, 'cell')} will run"
        case State.PREPARING:
            return _preparing(experiment) or (
                "starts by itself once the examples of its topics are fetched"
            )
        case State.RUNNING:
            return _running(experiment, now)
        case State.PAUSED:
            return (
                f"{count(ended)} of {number_of(now.cells, 'cell')} have ended;"
                " the others wait until you continue"
            )
        case State.STOPPED:
            return (
                f"{number_of(ended, 'cell')} {'is' if ended == 1 else 'are'} kept;"
                f" {count(now.cells - ended)} did not run"
            )
        case _:
            failed = f", {count(now.failed)} failed" if now.failed else ""
            return (
                f"{count(now.done)} of {number_of(now.cells, 'cell')}"
                f" in {duration(now.elapsed)}{failed}"
            )


def _preparing(experiment: Experiment) -> str:
    """`preparing 3 of 6 topics`; empty if no topic is being frozen."""
    job: Preparation | None = getattr(experiment, "preparation", None)
    if job is None or not job.is_under_way:
        return ""
    if job.is_waiting:
        return f"{number_of(job.topics, 'topic')} to prepare; waiting for a worker"
    return (
        f"preparing {count(min(job.prepared + 1, job.topics))} of {number_of(job.topics, 'topic')}"
    )


def _running(experiment: Experiment, now: ExperimentProgress) -> str:
    if not now.busy and (preparing := _preparing(experiment)):
        return preparing
    if now.busy:
        return (
            f"{number_of(now.workers, 'worker')}, topic by topic; each strategy of a topic"
            " starts before the next topic"
        )
    asked = experiment.cells.filter(job_state=Cell.State.WAITING)
    since = asked.aggregate(at=Min("job_asked_at"))["at"]
    if since is not None and timezone.now() - since > SILENT_AFTER:
        return "queued: no worker has taken a cell. Workers start with the site: crawlsite up"
    return "waiting for a worker; it starts by itself"
