"""Pauses a crawl: requests under way are finished, everything is kept."""

from __future__ import annotations

from apps.crawls.commands.command import Command, EventKind, Person
from apps.crawls.commands.lifecycle.stop import ended_because
from apps.crawls.lifecycle.transitions import desire, end_at_once
from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason


def pause(crawl: Crawl, by: Person = None) -> None:
    """Asks the runner to pause; a crawl that waits for a worker pauses at once."""
    if not end_at_once(crawl, State.PAUSED, StopReason.PAUSED_BY_USER, by, State.QUEUED):
        desire(crawl, Crawl.Desired.PAUSE, by, State.RUNNING, State.QUEUED)


def _act(crawl: Crawl, value: str, by: Person) -> str:
    pause(crawl, by)
    return ""


PAUSE = Command(
    name="pause",
    title="Pause",
    does="Finishes the requests under way and keeps everything.",
    act=_act,
    events=(EventKind("paused", "Paused", ended_because),),
)
