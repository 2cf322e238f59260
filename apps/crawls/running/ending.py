"""How a run ends: the crawl is finished, paused, handed on, failed, or left to another process."""

from __future__ import annotations

import errno
import logging
import time

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from apps.crawls.lifecycle.events import write_event
from apps.crawls.lifecycle.lease import (
    DATABASE_LOST,
    LostOwnershipError,
    give_back,
    hand_on,
    release,
    write_fenced,
)
from apps.crawls.lifecycle.wake import wake
from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason
from apps.engine.errors import BadWebFile, EngineError, NeedsMissing
from apps.stored_files.errors import StoreDown
from apps.topics.inputs.counted_targets import NoCountedTargets
from apps.webs.serving import WebNotServed

log = logging.getLogger("crawlsite.runner")

# The pause between two tries if the database does not answer.
LOST_SECONDS = 0.2
FINAL_STATES = {
    StopReason.PAUSED_BY_USER: State.PAUSED,
    StopReason.DISK_FULL: State.PAUSED,
    StopReason.NO_NETWORK: State.PAUSED,
    StopReason.ALL_HOSTS_BLOCKED: State.PAUSED,
    StopReason.NO_SEEDS: State.FAILED,
}
DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


def close(crawl: Crawl, reason: StopReason, checkpoint: str) -> None:
    """Writes the end that the engine gave: final, paused, or queued for another worker."""
    with transaction.atomic():
        if reason is StopReason.WAITING_FOR_A_WORKER:
            write_fenced(crawl, checkpoint=checkpoint)
            hand_on(crawl)
            return
        state = FINAL_STATES.get(reason, State.FINISHED)
        write_event(
            crawl,
            str(state),
            {"reason": reason},
            request=crawl.requests,
            pages=crawl.pages,
            by_id=_ended_by(crawl, reason),
        )
        ended = {} if state is State.PAUSED else {"finished_at": timezone.now()}
        release(
            crawl,
            checkpoint=checkpoint,
            state=state,
            reason=reason,
            reason_details={"at": timezone.now().isoformat()},
            **ended,
        )


def _ended_by(crawl: Crawl, reason: StopReason) -> int | None:
    """The id of the person who ended it, if anybody did."""
    if reason not in (StopReason.PAUSED_BY_USER, StopReason.STOPPED_BY_USER):
        return None
    return Crawl.objects.values_list("desired_by", flat=True).get(pk=crawl.pk)


def break_off(crawl: Crawl, error: Exception, has_committed: bool) -> str:
    """Ends a run that an exception has stopped, and returns how it ended."""
    match error:
        case LostOwnershipError():
            return str(error)
        case StoreDown():
            log.warning("crawl %s: %s", crawl.pk, error)
            return fail(crawl, StopReason.STORE_DOWN, State.PAUSED, detail=error.detail)
        case WebNotServed():
            return fail(crawl, StopReason.WEB_NOT_SERVED, State.PAUSED, web=str(error))
        case _ if isinstance(error, DATABASE_LOST):
            log.warning("crawl %s: the database was lost: %s", crawl.pk, error)
            return _leave(crawl, has_committed)
        case BadWebFile():
            log.warning("crawl %s: %s", crawl.pk, error)
            return fail(crawl, StopReason.PAGES_UNREADABLE, detail=error.detail)
        case NeedsMissing():
            return fail(crawl, StopReason.NEEDS_MISSING, need=error.need)
        case NoCountedTargets():
            return fail(crawl, StopReason.NO_COUNTED_TARGETS, detail=error.message)
        case OSError() if error.errno in DISK_FULL:
            return fail(crawl, StopReason.DISK_FULL, State.PAUSED)
    log.exception("crawl %s", crawl.pk, exc_info=error)
    if isinstance(error, EngineError):
        return fail(crawl, StopReason.ENGINE_ERROR, code=error.code, detail=error.detail)
    name, detail = type(error).__name__, str(error)[:500]
    return fail(crawl, StopReason.ENGINE_ERROR, code=name, detail=detail)


def fail(crawl: Crawl, reason: StopReason, state: State = State.FAILED, **details: object) -> str:
    """Ends the crawl, with a reason that a person must resolve; what it has is kept."""
    try:
        with transaction.atomic():
            release(
                crawl,
                state=state,
                reason=reason,
                reason_details=details,
                finished_at=timezone.now(),
            )
    except LostOwnershipError as error:
        return str(error)
    except DATABASE_LOST as error:
        log.warning("crawl %s: %s could not be written: %s", crawl.pk, reason, error)
        return "database_lost"
    wake(crawl.pk)
    return str(reason)


def _leave(crawl: Crawl, has_committed: bool) -> str:
    """Leaves the crawl, as last written, to the next worker once the database answers.

    A run that made no progress keeps its lease to the end, so that a lasting problem is not met
    again and again.
    """
    until = time.monotonic() + settings.LEASE_SECONDS
    while has_committed and time.monotonic() < until:
        try:
            give_back(crawl)
            break
        except DATABASE_LOST:
            connection.close()
            time.sleep(LOST_SECONDS)
    return "database_lost"
