"""Opens the visits that are due, and has ended ones settled.

The supervisor calls `tick` on every machine: a visit is opened by a conditional update of the
watch's row, and the database lets a watch have one open visit and one of a number, so that two
machines never run one visit twice. Of visits that were missed, one is made up for.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import F, Q

from apps.crawls.lifecycle.lease import RUNNABLE
from apps.crawls.lifecycle.transitions import end_at_once
from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason
from apps.jobs import queue
from apps.watches.models import Watch, WatchVisit
from apps.watches.visits.planning import expected_events
from apps.watches.visits.rhythm import adaptive_hours, end_of_quiet, next_visit

LATE = timedelta(minutes=15)
"""A visit that begins so long after its moment was missed."""
UNDER_WAY = (*RUNNABLE, State.PAUSED, State.DRAFT)


def tick(now: datetime) -> list[str]:
    """One round; returns a log line for each action. Cheap where nothing is due."""
    _stop_blocked()
    return [*_open_due(now), *_settle_ended(), *_end_failed(now)]


def first_visit(watch: Watch, now: datetime) -> datetime:
    """The moment of the first visit: at once, or at the start of the watch, outside the quiet
    hours."""
    return end_of_quiet(watch, max(now, watch.starts_at) if watch.starts_at else now)


def due_watches(now: datetime) -> list[Watch]:
    """The watches with a visit that is due and none under way."""
    waiting = Watch.objects.filter(is_paused=False, next_visit_at__lte=now)
    return list(waiting.exclude(visits_made__ended_at=None, visits__gt=0))


def open_visit(watch: Watch, due_at: datetime, now: datetime) -> WatchVisit | None:
    """Opens the next visit and has a worker do it; None if another process was first, or one is
    under way."""
    moment = None if watch.is_paused else next_visit(watch, now)
    mine = Watch.objects.filter(pk=watch.pk, visits=watch.visits)
    try:
        with transaction.atomic():
            if not mine.update(visits=F("visits") + 1, next_visit_at=moment):
                return None
            visit = WatchVisit.objects.create(
                watch=watch,
                number=watch.visits + 1,
                due_at=due_at,
                began_at=now,
                is_late=now - due_at > LATE,
            )
            queue.enqueue(visit)
    except IntegrityError:
        return None
    watch.refresh_from_db()
    return visit


def _open_due(now: datetime) -> list[str]:
    done = []
    for watch in due_watches(now):
        assert watch.next_visit_at is not None
        if watch.ends_at and watch.ends_at < now:
            Watch.objects.filter(pk=watch.pk).update(next_visit_at=None)
        elif (loud := end_of_quiet(watch, now)) > now:
            Watch.objects.filter(pk=watch.pk).update(next_visit_at=loud)
        elif visit := open_visit(watch, watch.next_visit_at, now):
            done.append(f"watch {watch.pk}: visit {visit.number} begins")
    return done


def _settle_ended() -> list[str]:
    """Enqueues the visits whose crawl has ended or is gone, to be settled."""
    done = []
    idle = ~Q(job_state__in=(*queue.UNFINISHED, WatchVisit.State.FAILED))
    crawling = WatchVisit.objects.filter(idle, ended_at=None, stage=WatchVisit.Stage.CRAWLING)
    for visit in crawling.exclude(crawl__state__in=UNDER_WAY):
        queue.enqueue(visit)
        done.append(f"watch {visit.watch_id}: visit {visit.number} is settled")
    return done


def _stop_blocked() -> None:
    """Ends the crawls of visits that wait for a person because every host refuses requests: the
    next visit tries again."""
    blocked = Crawl.objects.filter(
        state=State.PAUSED,
        reason=StopReason.ALL_HOSTS_BLOCKED,
        visit__stage=WatchVisit.Stage.CRAWLING,
    )
    for crawl in blocked:
        end_at_once(crawl, State.FINISHED, StopReason.ALL_HOSTS_BLOCKED, None, State.PAUSED)


def _end_failed(now: datetime) -> list[str]:
    """Ends the visits whose work has failed, so that the next one can begin."""
    done = []
    failed = WatchVisit.objects.filter(ended_at=None, job_state=WatchVisit.State.FAILED)
    for visit in failed:
        fail_visit(visit, visit.job_problem, now)
        done.append(f"watch {visit.watch_id}: visit {visit.number} has failed")
    return done


def fail_visit(visit: WatchVisit, problem: str, now: datetime) -> None:
    """Ends a visit that cannot be done, with a sentence for people."""
    with transaction.atomic():
        WatchVisit.objects.filter(pk=visit.pk, ended_at=None).update(
            stage=WatchVisit.Stage.FAILED, ended_at=max(now, visit.began_at), problem=problem
        )
        Watch.objects.filter(pk=visit.watch_id).update(problem=problem)
    visit.refresh_from_db()


def adapt_rhythm(watch: Watch, visit: WatchVisit) -> None:
    """Sets the hours of an adaptive watch after a visit, and so the moment of the next one."""
    if watch.rhythm != Watch.Rhythm.ADAPTIVE:
        return
    watch.refresh_from_db()
    watch.hours = adaptive_hours(expected_events(watch))
    moment = None if watch.is_paused else next_visit(watch, visit.began_at)
    Watch.objects.filter(pk=watch.pk, rhythm=Watch.Rhythm.ADAPTIVE).update(
        hours=watch.hours, next_visit_at=moment
    )
