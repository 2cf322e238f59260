"""The protocol of background jobs: enqueue, claim, heartbeat, finish or fail, cancel, requeue.

Each write names the attempt it belongs to and takes effect only if that attempt is still the row's.
So a task that is delivered twice, or a worker that comes back late, changes nothing.
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
UNANSWERED_AFTER = timedelta(seconds=10)
LOST_AFTER = timedelta(minutes=10)
State = Job.State
UNFINISHED = (State.WAITING, State.WORKING)
J = TypeVar("J", bound=Job)


def enqueue(job: Job, **values: Any) -> None:
    """Queues a job for the workers and writes `values`; an earlier attempt becomes void."""
    enqueue_all([job], **values)


def enqueue_all(jobs: Sequence[Job], **values: Any) -> None:
    """Like `enqueue`, for many rows of one model in one transaction."""
    if not jobs:
        return
    with transaction.atomic():
        _renew(jobs, job_state=State.WAITING, job_worker="", **values)
        transaction.on_commit(lambda: _deliver(jobs))


def claim_here(job: Job, **values: Any) -> None:
    """Claims the job for this process, without a worker."""
    _renew([job], job_state=State.WORKING, job_worker=this_process(), **values)


def claim(model: type[J], pk: int, attempt: int) -> J | None:
    """The row, for the one task that may do this attempt.

    None for a second or a late task, and if the model's jobs run one at a time and one is running.
    """
    if model.job_alone and any(not _is_lost(job) for job in _rows(model, State.WORKING)):
        return None
    waiting = _rows(model, State.WAITING).filter(pk=pk, job_attempt=attempt)
    now = timezone.now()
    if not waiting.update(job_state=State.WORKING, job_worker=this_process(), job_touched_at=now):
        return None
    # Queued again since, or deleted: another task does it, or none.
    return _rows(model, State.WORKING).filter(pk=pk, job_attempt=attempt).first()


def heartbeat(job: Job, **progress: Any) -> bool:
    """Records that the job is alive, and its progress; False if the job is no longer wanted."""
    return bool(_this_attempt(job).update(job_touched_at=timezone.now(), **progress))


def finish(job: Job, **values: Any) -> bool:
    """Marks the job as done and writes `values`; False, with nothing written, if it was void."""
    done = {"job_state": State.DONE, "job_touched_at": timezone.now()}
    return bool(_this_attempt(job).update(**done, **values))


def fail(job: Job, problem: str, **values: Any) -> bool:
    """Marks the job as failed, with a sentence for people; False, with nothing written, if it was
    void."""
    return bool(
        _this_attempt(job).update(
            job_state=State.FAILED, job_problem=problem, job_touched_at=timezone.now(), **values
        )
    )


def give_back(job: Job, **values: Any) -> bool:
    """Leaves an unfinished job, which nobody does until it is enqueued again, and writes `values`;
    False, with nothing written, if it was void."""
    return bool(
        _this_attempt(job).update(
            job_state=State.NONE, job_worker="", job_touched_at=timezone.now(), **values
        )
    )


def cancel(job: Job) -> None:
    """Cancels the job; a worker that does it stops at its next heartbeat."""
    _renew([job], job_state=State.NONE, job_worker="")


def requeue_lost() -> list[str]:
    """Queues the jobs that were lost once more and returns a log line for each.

    A job is lost if its worker is gone, or if it got no worker or no heartbeat for ten minutes.
    Cheap enough for the supervisor to call often.
    """
    return _requeue(_is_lost)


def requeue_unfinished() -> list[str]:
    """Queues every unfinished job once more; to be called before any worker of the site starts.

    With Redis, workers of other machines may be there: what they are doing is left to them.
    """
    return _requeue(lambda job: job.is_waiting or not settings.REDIS_URL or _is_lost(job))


def is_unanswered(job: Job) -> bool:
    """Whether the job has waited for ten seconds while no worker does anything else: none runs."""
    if not job.is_waiting or job.job_asked_at is None:
        return False
    is_late = job.job_asked_at < timezone.now() - UNANSWERED_AFTER
    return is_late and not any(_rows(model, State.WORKING).exists() for model in models())


def enqueue_next(model: type[Job]) -> None:
    """Queues the first waiting row of a model."""
    if following := _rows(model, State.WAITING).order_by("pk").first():
        enqueue(following)


def waiting_since() -> datetime | None:
    """When the job that has waited longest was enqueued, or None if none is waiting."""
    asked = (
        _rows(model, State.WAITING).aggregate(at=Min("job_asked_at"))["at"] for model in models()
    )
    return min((at for at in asked if at is not None), default=None)


def models() -> Iterator[type[Job]]:
    """Every model whose rows are jobs."""
    return (model for model in apps.get_models() if issubclass(model, Job))


def _renew(jobs: Sequence[Job], **values: Any) -> None:
    """Begins another attempt of each job, in the database and in the caller's objects."""
    values |= {"job_asked_at": timezone.now(), "job_touched_at": None, "job_problem": ""}
    keys = [job.pk for job in jobs]
    rows = type(jobs[0])._default_manager.filter(pk__in=keys)
    rows.update(job_attempt=F("job_attempt") + 1, **values)
    attempts = dict(rows.values_list("pk", "job_attempt"))
    for job in jobs:
        for name, value in {**values, "job_attempt": attempts.get(job.pk, 0)}.items():
            setattr(job, name, value)


def _deliver(jobs: Sequence[Job]) -> None:
    with transaction.atomic():
        for job in jobs:
            async_task(
                TASK,
                job._meta.label_lower,
                job.pk,
                job.job_attempt,
                cluster=settings.BACKGROUND_CLUSTER,
            )


def _requeue(wanted: Callable[[Job], bool]) -> list[str]:
    done = []
    for model in models():
        for job in _rows(model, *UNFINISHED):
            if wanted(job):
                enqueue(job)
                done.append(f"{model._meta.verbose_name} {job.pk}: its work was lost, queued again")
    return done


def _is_lost(job: Job) -> bool:
    last = job.job_asked_at if job.is_waiting else job.job_touched_at or job.job_asked_at
    if not job.is_waiting and is_gone(job.job_worker):
        return True
    return last is None or last < timezone.now() - LOST_AFTER


def _this_attempt(job: J) -> QuerySet[J]:
    """The row, if the caller's attempt is still the current one."""
    return _rows(type(job), State.WORKING).filter(pk=job.pk, job_attempt=job.job_attempt)


def _rows(model: type[J], *states: str) -> QuerySet[J]:
    return model._default_manager.filter(job_state__in=states)
