"""Where a run stands, in words."""

from __future__ import annotations

from dataclasses import dataclass

from apps.experiments.models import Experiment
from apps.experiments.progress import progress
from apps.jobs import queue
from apps.papers.models import PaperRun
from apps.topics.models import Topic

State = Experiment.State


@dataclass(frozen=True, slots=True)
class RunState:
    """`words` for people; `tone` is that of a state badge. `goes_on` says whether it may change by
    itself, `again` whether the next press begins it again."""

    words: str
    tone: str
    goes_on: bool = False
    again: bool = False


def run_state(run: PaperRun) -> RunState:
    """The state of a run now."""
    if run.job_state == PaperRun.State.FAILED:
        return RunState(f"failed: {run.job_problem}", "bad", again=True)
    if run.ended_at is not None:
        return RunState("ended", "quiet")
    if run.job_state in queue.UNFINISHED:
        return RunState(run.step or "preparing", "ok", goes_on=True)
    experiment = run.experiment or run.explorer
    if experiment is None:
        return RunState("its experiment was deleted", "warn")
    return _of_experiment(experiment, "" if run.experiment else "exploratory crawl: ")


def _of_experiment(experiment: Experiment, what: str) -> RunState:
    match experiment.state:
        case State.PREPARING:
            return RunState(f"{what}{_preparing(experiment)}", "ok", goes_on=True)
        case State.RUNNING | State.FINISHED:
            share = round(100 * progress(experiment).share)
            return RunState(f"{what}running {share} %", "ok", goes_on=True)
        case State.DRAFT:
            event = experiment.events.first()
            return RunState(f"{what}{event.words if event else 'not started'}", "warn")
        case _:
            return RunState(f"{what}{experiment.state}", "warn")


def _preparing(experiment: Experiment) -> str:
    topics = experiment.topics.count()
    waiting = Topic.objects.filter(
        pk__in=experiment.topics.values("topic"), job_state__in=queue.UNFINISHED
    ).count()
    return f"preparing {topics - waiting} of {topics} topics"
