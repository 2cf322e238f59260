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
from apps.engine.codes import State
from apps.jobs import queue
from apps.watches.models import Watch, WatchVisit
from apps.watches.rhythm import end_of_quiet, next_visit

LATE = timedelta(minutes=15)
"""A visit that begins so long after its moment was missed."""
UNDER_WAY = (*RUNNABLE, State.PAUSED, State.DRAFT)


def tick(now: datetime) -> list[str]:
    """One round; returns a log line for each action. Cheap where nothing is due."""
    return [*_open_due(now), *_settle_ended()]


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
    """Has workers settle the visits whose crawl has ended or is gone."""
    done = []
    idle = ~Q(job_state__in=(*queue.UNFINISHED, WatchVisit.State.FAILED))
    crawling = WatchVisit.objects.filter(idle, ended_at=None, stage=WatchVisit.Stage.CRAWLING)
    for visit in crawling.exclude(crawl__state__in=UNDER_WAY):
        queue.enqueue(visit)
        done.append(f"watch {visit.watch_id}: visit {visit.number} is settled")
    return done
