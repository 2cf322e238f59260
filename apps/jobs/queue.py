"""The protocol of background work: ask, claim, go on, finish or fail; cancel; bring back the lost.

Each write about a job names the attempt it belongs to and counts only where that attempt is still
the row's. So a task that is delivered twice, or a worker that comes back late, changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.db.models import F, Min, QuerySet
from django.utils import timezone
from django_q.tasks import async_task

from apps.jobs.models import Job
from apps.jobs.process import is_gone, this_process

TASK = "apps.jobs.tasks.run"
LOST_AFTER = timedelta(minutes=10)
State = Job.State
UNFINISHED = (State.WAITING, State.WORKING)
J = TypeVar("J", bound=Job)


def ask(job: Job, **values: Any) -> None:
    """Leaves the job to the background, writing `values` too; an earlier attempt is void."""
    ask_for_all([job], **values)


def ask_for_all(jobs: Sequence[Job], **values: Any) -> None:
    """The same for many rows of one model, in one transaction."""
    if not jobs:
        return
    with transaction.atomic():
        _renew(jobs, job_state=State.WAITING, job_worker="", **values)
        transaction.on_commit(lambda: _queue(jobs))


def take_here(job: Job, **values: Any) -> None:
    """Claims the job for this very process, no worker being asked."""
    _renew([job], job_state=State.WORKING, job_worker=this_process(), **values)


def claim(model: type[J], pk: int, attempt: int) -> J | None:
    """The row, for the one task that may do this attempt; None for a second or a late one, and
    where another row of the model is being done and the model's are done singly."""
    if model.job_alone and any(not _is_lost(job) for job in _rows(model, State.WORKING)):
        return None
    waiting = _rows(model, State.WAITING).filter(pk=pk, job_attempt=attempt)
    now = timezone.now()
    if not waiting.update(
        job_state=State.WORKING, job_worker=this_process(), job_touched_at=now
    ):
        return None
    return model._default_manager.get(pk=pk)


def heartbeat(job: Job, **progress: Any) -> bool:
    """Notes that the work got somewhere, and how far; False where it is not wanted any more."""
    return bool(_own(job).update(job_touched_at=timezone.now(), **progress))


def finish(job: Job, **values: Any) -> bool:
    """The work is done, with what came of it; False, and nothing written, where it was void."""
    return bool(_own(job).update(job_state=State.DONE, job_touched_at=timezone.now(), **values))


def fail(job: Job, problem: str, **values: Any) -> bool:
    """The work came to nothing, for a reason that people read; False as for `finish`."""
    return bool(_own(job).update(
        job_state=State.FAILED, job_problem=problem, job_touched_at=timezone.now(), **values
    ))  # fmt: skip


def cancel(job: Job) -> None:
    """The work is not wanted any more; a worker that does it stops at its next step."""
    _renew([job], job_state=State.NONE, job_worker="")


def ask_for_lost() -> list[str]:
    """Asks again for what no worker took or brought forward for ten minutes, and at once for that
    of a worker that is gone; says which. Cheap: for the supervisor."""
    return _ask_again(_is_lost)


def ask_for_unfinished() -> list[str]:
    """Asks again for all that is not done; before any worker has started."""
    return _ask_again(lambda job: True)


def ask_for_the_next(model: type[Job]) -> None:
    """Asks for the first of a model's rows that wait."""
    if following := _rows(model, State.WAITING).order_by("pk").first():
        ask(following)


def waiting_since() -> datetime | None:
    """When the job that waits longest for a worker was asked for; None where none waits."""
    asked = (_rows(model, State.WAITING).aggregate(at=Min("job_asked_at"))["at"]
             for model in models())
    return min((at for at in asked if at is not None), default=None)


def models() -> Iterator[type[Job]]:
    """Every model whose rows are jobs."""
    return (model for model in apps.get_models() if issubclass(model, Job))


def _renew(jobs: Sequence[Job], **values: Any) -> None:
    """Begins another attempt of each, in the rows and in what the caller holds of them."""
    values |= {"job_asked_at": timezone.now(), "job_touched_at": None, "job_problem": ""}
    keys = [job.pk for job in jobs]
    rows = type(jobs[0])._default_manager.filter(pk__in=keys)
    rows.update(job_attempt=F("job_attempt") + 1, **values)
    attempts = dict(rows.values_list("pk", "job_attempt"))
    for job in jobs:
        for name, value in {**values, "job_attempt": attempts.get(job.pk, 0)}.items():
            setattr(job, name, value)


def _queue(jobs: Sequence[Job]) -> None:
    with transaction.atomic():
        for job in jobs:
            async_task(
                TASK, job._meta.label_lower, job.pk, job.job_attempt,
                cluster=settings.BACKGROUND_CLUSTER,
            )


def _ask_again(wanted: Callable[[Job], bool]) -> list[str]:
    done = []
    for model in models():
        for job in _rows(model, *UNFINISHED):
            if wanted(job):
                ask(job)
                done.append(f"{model._meta.verbose_name} {job.pk}: its work was lost, queued again")
    return done


def _is_lost(job: Job) -> bool:
    last = job.job_asked_at if job.is_waiting else job.job_touched_at or job.job_asked_at
    if not job.is_waiting and is_gone(job.job_worker):
        return True
    return last is None or last < timezone.now() - LOST_AFTER


def _own(job: J) -> QuerySet[J]:
    """The row, where the attempt that the caller works on is still the one."""
    return _rows(type(job), State.WORKING).filter(pk=job.pk, job_attempt=job.job_attempt)


def _rows(model: type[J], *states: str) -> QuerySet[J]:
    return model._default_manager.filter(job_state__in=states)
