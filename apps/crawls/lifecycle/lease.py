"""Ownership of a crawl: one process at a time, by lease and epoch.

Whoever claims a crawl raises its epoch by a conditional update; every later write names (runner,
epoch) in the same transaction, so that a late or second runner can change nothing.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import (
    InterfaceError,
    InternalError,
    OperationalError,
    connection,
    models,
    transaction,
)
from django.utils import timezone
from django_q.tasks import async_task

from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason
from apps.jobs.process import this_process, this_system
from apps.machines import workers

# Raised when the server or the network has ended the session, or the database is locked.
DATABASE_LOST = (OperationalError, InterfaceError, InternalError)
UNANSWERED_AFTER = timedelta(seconds=10)
RUNNABLE = (State.QUEUED, State.RUNNING, State.STOPPING)


class LostOwnershipError(Exception):
    """Another process has taken the crawl; nothing more may be written."""


def free_workers() -> int:
    """The crawl workers of this machine that run none; none of them if they are drained."""
    if workers.are_drained():
        return 0
    here = Crawl.objects.filter(state__in=RUNNABLE, runner__startswith=f"{this_system()}:")
    return int(settings.CRAWLS_AT_ONCE) - here.count()


def is_unanswered(crawl: Crawl) -> bool:
    """Whether a crawl has waited for ten seconds although this machine should have a free worker:
    then none runs."""
    if crawl.state != State.QUEUED or crawl.runner or crawl.enqueued_at is None:
        return False
    return crawl.enqueued_at < timezone.now() - UNANSWERED_AFTER and free_workers() > 0


def claim(crawl_id: int, epoch: int) -> Crawl | None:
    """Claims the crawl if it is still at that epoch and has no runner; otherwise None."""
    now = timezone.now()
    nobody = models.Q(runner="") | models.Q(lease_until__lt=now)
    taken = Crawl.objects.filter(nobody, pk=crawl_id, epoch=epoch, state__in=RUNNABLE).update(
        epoch=epoch + 1,
        runner=this_process(),
        lease_until=now + timedelta(seconds=settings.LEASE_SECONDS),
        enqueued_at=None,
    )
    return Crawl.objects.get(pk=crawl_id) if taken else None


def name_session(crawl: Crawl) -> None:
    """Names this thread's session on PostgreSQL after the crawl, for `end_session`."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('application_name', %s, false)", [_session(crawl)])


def end_session(crawl: Crawl) -> None:
    """Ends the runner's session on PostgreSQL, whose lease has lapsed.

    A process that is suspended in a transaction would keep its crawl's row locked, and the next
    runner would have to wait for it. The server's own time-outs do not help: they do not count
    while half a request has arrived.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND application_name = %s",
                [_session(crawl)],
            )


def _session(crawl: Crawl) -> str:
    return f"crawlsite crawl {crawl.pk} epoch {crawl.epoch}"


def write_fenced(crawl: Crawl, **values: object) -> None:
    """Updates the crawl's row and renews the lease; call it first in each transaction.

    Raises LostOwnershipError if another process has the crawl.
    """
    lease = timezone.now() + timedelta(seconds=settings.LEASE_SECONDS)
    own = Crawl.objects.filter(pk=crawl.pk, epoch=crawl.epoch, runner=crawl.runner)
    if own.update(lease_until=lease, commits=models.F("commits") + 1, **values) != 1:
        raise LostOwnershipError(f"crawl {crawl.pk} is no longer at epoch {crawl.epoch}")


def release(crawl: Crawl, **values: object) -> None:
    """Gives the crawl up within the caller's transaction, writing `values` last."""
    write_fenced(crawl, **values)
    Crawl.objects.filter(pk=crawl.pk, epoch=crawl.epoch).update(runner="", lease_until=None)


def give_back(crawl: Crawl) -> bool:
    """Voids this process's lease and queues the crawl; False if another process has it.

    A late runner's next write fails: the row names no runner, and the next claim raises the epoch.
    """
    with transaction.atomic():
        own = Crawl.objects.filter(pk=crawl.pk, epoch=crawl.epoch, runner=crawl.runner)
        if not own.update(runner="", lease_until=None):
            return False
        enqueue(crawl.pk, crawl.epoch)
    return True


def enqueue(crawl_id: int, epoch: int) -> None:
    """Asks a worker to run the crawl at that epoch, in the caller's transaction if there is one.

    A duplicate request does no harm: the first claim raises the epoch.
    """
    Crawl.objects.filter(pk=crawl_id, epoch=epoch).update(enqueued_at=timezone.now())

    def ask() -> None:
        async_task(
            "apps.crawls.tasks.run_slice",
            crawl_id,
            epoch,
            cluster=settings.CRAWL_CLUSTER,
            task_name=f"crawl {crawl_id} epoch {epoch}",
        )

    if settings.REDIS_URL:
        transaction.on_commit(ask)
    else:
        ask()


def put_back(crawl_id: int, epoch: int) -> None:
    """Enqueues a crawl for another worker, unless it runs already or has ended."""
    waits = Crawl.objects.filter(pk=crawl_id, epoch=epoch, runner="", state__in=RUNNABLE)
    if waits.exists():
        enqueue(crawl_id, epoch)


def hand_on(crawl: Crawl) -> None:
    """Gives the crawl up and queues it again, in the caller's transaction."""
    release(crawl, state=State.QUEUED, reason=StopReason.WAITING_FOR_A_WORKER, reason_details={})
    enqueue(crawl.pk, crawl.epoch)
