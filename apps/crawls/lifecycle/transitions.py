"""Moves a crawl between its states, or asks its runner to.

A crawl that no process runs is moved by a conditional update; a running one is asked by
`Crawl.desired`, which its runner reads after each commit.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from apps.crawls.errors import CrawlRefused
from apps.crawls.lifecycle.events import write_event
from apps.crawls.lifecycle.lease import enqueue
from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason


def queue(crawl: Crawl, *from_states: str, event: str = "", by: User | None = None) -> None:
    """Queues a crawl that no process runs, with an `event` if one is named.

    Raises CrawlRefused in any other state.
    """
    with transaction.atomic():
        moved = Crawl.objects.filter(pk=crawl.pk, state__in=from_states, runner="").update(
            state=State.QUEUED,
            reason=StopReason.WAITING_FOR_A_WORKER,
            reason_details={},
            desired=Crawl.Desired.RUN,
        )
        crawl.refresh_from_db()
        if not moved:
            raise CrawlRefused("state", f"The crawl is {crawl.state}; it cannot be started now.")
        if event:
            _note(crawl, event, {}, by)
        enqueue(crawl.pk, crawl.epoch)
    crawl.refresh_from_db()


def end_at_once(
    crawl: Crawl, state: State, reason: StopReason, by: User | None, *from_states: str
) -> bool:
    """Ends a crawl that no process runs; the epoch is raised, so that queued tasks become void."""
    with transaction.atomic():
        idle = Crawl.objects.filter(pk=crawl.pk, runner="", state__in=from_states)
        current = idle.select_for_update().first()
        if current is None:
            return False
        ended = timezone.now() if state is State.FINISHED else None
        idle.update(
            state=state,
            reason=reason,
            epoch=current.epoch + 1,
            finished_at=ended,
            reason_details={"pages": current.pages, "waiting": current.waiting},
        )
        _note(current, str(state), {"reason": reason}, by)
    crawl.refresh_from_db()
    return True


def desire(crawl: Crawl, desired: str, by: User | None, *states: str) -> None:
    """Asks the runner of a crawl in one of `states`. Raises CrawlRefused in any other."""
    rows = Crawl.objects.filter(pk=crawl.pk, state__in=states)
    asked = rows.update(desired=desired, desired_by=by)
    crawl.refresh_from_db()
    if not asked:
        raise CrawlRefused("state", f"The crawl is {crawl.state}; that cannot be done now.")


def _note(crawl: Crawl, kind: str, payload: dict[str, object], by: User | None) -> None:
    write_event(
        crawl,
        kind,
        payload,
        request=crawl.requests,
        pages=crawl.pages,
        by_id=by.pk if by else None,
    )
