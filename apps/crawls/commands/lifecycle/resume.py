"""Continues a crawl that was paused, has ended, or was lost with its worker."""

from __future__ import annotations

from apps.crawls.commands.command import Command, EventKind, Person
from apps.crawls.lifecycle.transitions import queue
from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason

LOST = "worker_lost"


def resume(crawl: Crawl, by: Person = None) -> None:
    """Continues a paused crawl, or one that a person stopped or that failed.

    A pause that the runner has not reached yet is withdrawn.
    """
    pausing = Crawl.objects.filter(pk=crawl.pk, state=State.RUNNING, desired=Crawl.Desired.PAUSE)
    if pausing.update(desired=Crawl.Desired.RUN):
        crawl.refresh_from_db()
        return
    queue(crawl, State.PAUSED, State.FINISHED, State.FAILED, event="continued", by=by)


def resume_with_links(crawl: Crawl, by: Person = None) -> None:
    """Continues a crawl that ended because its frontier was empty; does nothing to any other."""
    ended = crawl.state in (State.FINISHED, State.FAILED)
    if ended and crawl.reason in (StopReason.FRONTIER_EMPTY, StopReason.NO_SEEDS):
        resume(crawl, by)


def _act(crawl: Crawl, value: str, by: Person) -> str:
    resume(crawl, by)
    return ""


RESUME = Command(
    name="resume",
    title="Continue",
    does="Continues a paused, finished or failed crawl where it was.",
    act=_act,
    events=(
        EventKind("continued", "Continued"),
        EventKind(
            LOST,
            "Resumed after an interruption",
            lambda payload: "its worker ended or was cut off; everything stored is kept",
        ),
    ),
)
