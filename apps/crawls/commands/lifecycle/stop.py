"""Stops a crawl; it can still be continued."""

from __future__ import annotations

from apps.crawls.commands.command import Command, EventKind, Payload, Person
from apps.crawls.lifecycle.transitions import desire, end_at_once
from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason

BY_PERSON = (StopReason.PAUSED_BY_USER, StopReason.STOPPED_BY_USER)


def stop(crawl: Crawl, by: Person = None) -> None:
    """Asks the runner to stop; a crawl that is not running stops at once."""
    if end_at_once(
        crawl, State.FINISHED, StopReason.STOPPED_BY_USER, by, State.QUEUED, State.PAUSED
    ):
        return
    desire(crawl, Crawl.Desired.STOP, by, State.RUNNING, State.QUEUED, State.STOPPING)
    Crawl.objects.filter(pk=crawl.pk, state=State.RUNNING).exclude(runner="").update(
        state=State.STOPPING, reason=StopReason.STOPPED_BY_USER
    )
    crawl.refresh_from_db()


def ended_because(payload: Payload) -> str:
    """The reason in words; empty if it was a person, whose name is beside the event anyway."""
    reason = str(payload.get("reason", ""))
    return "" if reason in BY_PERSON else reason.replace("_", " ")


def _act(crawl: Crawl, value: str, by: Person) -> str:
    stop(crawl, by)
    return ""


STOP = Command(
    name="stop",
    title="Stop",
    does="Ends the crawl; it can still be continued.",
    act=_act,
    events=(
        EventKind("finished", "Finished", ended_because),
        EventKind("failed", "Failed", ended_because),
    ),
)
