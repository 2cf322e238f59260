"""Asking for the study of an experiment's pages."""

from __future__ import annotations

from dataclasses import dataclass

from apps.experiments.models import Experiment, PageStudy
from apps.experiments.results.outcomes import Outcomes
from apps.experiments.studies.study import PageStudyFigures, of_plain, subject
from apps.jobs import queue

AFTERWARDS = "Measured over the pages fetched, once the last cell has ended"
UNDER_WAY = "Being measured over the pages fetched: about a minute"
State = Experiment.State


@dataclass(frozen=True, slots=True)
class Studied:
    """The study of an experiment, or in `words` why there is none yet."""

    study: PageStudyFigures | None
    words: str = ""


NOT_STUDIED = Studied(None, AFTERWARDS)


def ensure_study(results: Outcomes) -> Studied:
    """The study of a finished experiment; one that is missing, failed or out of date is queued."""
    if not results.ended or not results.cells:
        return NOT_STUDIED
    row, _ = PageStudy.objects.get_or_create(experiment=results.experiment)
    wanted = subject(results)
    if row.of != wanted:
        queue.enqueue(row, of=wanted, data={})
    return _studied(row)


def try_study_again(results: Outcomes) -> None:
    """Queues a study that failed once more."""
    for row in PageStudy.objects.filter(
        experiment=results.experiment, job_state=PageStudy.State.FAILED
    ):
        queue.enqueue(row, data={})


def _studied(row: PageStudy) -> Studied:
    if row.job_state == row.State.FAILED:
        return Studied(None, row.job_problem.removesuffix("."))
    if row.is_under_way or not row.data:
        return Studied(None, UNDER_WAY)
    return Studied(of_plain(row.data))
