"""Restarts crawls whose runner or whose task has been lost."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.crawls.commands.lifecycle.resume import resume
from apps.crawls.lifecycle.lease import (
    RUNNABLE,
    end_session,
    enqueue,
    free_workers,
    give_back,
)
from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason
from apps.jobs.process import is_gone
from apps.machines import events, workers

# How long a crawl pauses when no host could be reached.
NETWORK_SECONDS = 60.0


def _has_lapsed(crawl: Crawl) -> bool:
    return crawl.lease_until is None or crawl.lease_until < timezone.now()


def tick() -> list[str]:
    """One round; returns a log line for each action. Cheap: it reads a few rows and writes only if
    one is lost."""
    done = []
    for crawl in Crawl.objects.filter(state__in=RUNNABLE):
        if crawl.runner and (is_gone(crawl.runner) or _has_lapsed(crawl)):
            end_session(crawl)
            if give_back(crawl):
                events.write("worker_lost", workers.machine_of(crawl.runner), crawl=crawl.pk)
                done.append(f"crawl {crawl.pk}: its runner is gone, queued again")
        elif not crawl.runner and _task_lost(crawl):
            done += _ask_again(crawl)
    return done + _try_the_network_again()


def _try_the_network_again() -> list[str]:
    """Queues crawls that were paused because the network was down, a minute later."""
    done = []
    cut = Crawl.objects.filter(
        state=State.PAUSED, reason=StopReason.NO_NETWORK, desired=Crawl.Desired.RUN, runner=""
    )
    for crawl in cut:
        paused_at = datetime.fromisoformat(crawl.reason_details["at"])
        if timezone.now() - paused_at > timedelta(seconds=NETWORK_SECONDS):
            resume(crawl)
            done.append(f"crawl {crawl.pk}: trying the network again")
    return done


def _task_lost(crawl: Crawl) -> bool:
    """Whether the crawl should have begun long ago because a worker was free."""
    if crawl.enqueued_at is None:
        return True
    late = timezone.now() - crawl.enqueued_at > timedelta(seconds=settings.HAND_OFF_SECONDS)
    return late and free_workers() > 0


def _ask_again(crawl: Crawl) -> list[str]:
    with transaction.atomic():
        enqueue(crawl.pk, crawl.epoch)
    return [f"crawl {crawl.pk}: no worker took it, queued again"]
