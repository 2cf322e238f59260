"""What a thing is that a person can do to a crawl, and what kind of event it leaves.

A command stands in one file with all that any surface needs of it. What it changes in the engine is
left as a `Change`: the runner applies it at its next commit, or at its next start, and a replay
repeats the event that is written then.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import F

from apps.crawls.lifecycle.events import write_event
from apps.crawls.lifecycle.wake import wake
from apps.crawls.models import Change, Crawl
from apps.engine.crawl.steering import ApplyChange
from apps.engine.model import State

Person = AbstractUser | None
Payload = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Undo:
    """How an event is taken back.

    `about` names its object: of two events about the same, only the newer can be undone. `stands`
    says whether the row still wants what the event did; `carry_out` asks for what was before.
    """

    about: Callable[[Payload], Hashable]
    stands: Callable[[Crawl, Payload], bool]
    carry_out: Callable[[Crawl, Payload, Person], None]


@dataclass(frozen=True, slots=True)
class EventKind:
    """A kind of event: `title` in bold, then the `words` of its payload.

    `letter` marks it on the charts, for those that may bend a curve. `apply` carries out in the
    engine what the event says, now and in a replay; None where the engine knows nothing of it.
    """

    kind: str
    title: str
    words: Callable[[Payload], str] = lambda payload: ""
    letter: str = ""
    apply: ApplyChange | None = None
    undo: Undo | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """One thing a person can do to a crawl.

    `act` takes the crawl, the `value` as text of a form, the API or the command line, and who does
    it; it returns a sentence for the person, empty where the page shows the effect by itself, and
    raises CrawlRefused. `value` says what the text is, empty where the command takes none.
    """

    name: str
    title: str
    does: str
    act: Callable[[Crawl, str, Person], str]
    value: str = ""
    events: tuple[EventKind, ...] = ()


def ask(crawl: Crawl, kind: str, payload: dict[str, Any], by: Person, **row: Any) -> None:
    """Leaves a change for the runner and shows the wanted value in the row at once.

    A crawl that nobody runs takes it at its next start, before anything is fetched.
    """
    with transaction.atomic():
        Change.objects.create(crawl=crawl, kind=kind, payload=payload, by=by)
        Crawl.objects.filter(pk=crawl.pk).update(commits=F("commits") + 1, **row)
        transaction.on_commit(lambda: wake(crawl.pk))
    crawl.refresh_from_db()


def write_down(crawl: Crawl, kind: str, payload: dict[str, Any], by: Person, **row: Any) -> None:
    """Changes the row alone: the engine knows nothing of it, and the event needs no start.

    Only the runner writes events while it runs, so it is asked to; otherwise the event is written
    here, the update of the row keeping any runner out until that is done.
    """
    with transaction.atomic():
        idle = Crawl.objects.filter(pk=crawl.pk, runner="")
        if not idle.update(commits=F("commits") + 1, **row):
            ask(crawl, kind, payload, by, **row)
            return
        crawl.refresh_from_db()
        write_event(
            crawl, kind, payload, request=crawl.requests, pages=crawl.pages,
            by_id=by.pk if by else None,
        )
        transaction.on_commit(lambda: wake(crawl.pk))


def when(crawl: Crawl) -> str:
    """When a change of this crawl takes effect, as a sentence."""
    if crawl.state == State.RUNNING:
        return "It takes effect with the next pages."
    return f"The crawl is {crawl.state}: it takes effect at its next start."


def unless_running(crawl: Crawl) -> str:
    """When it takes effect, where the page does not show that by itself."""
    return "" if crawl.state == State.RUNNING else when(crawl)
