"""The declaration of a crawl's command, and of the kind of event that it records.

A command is one file with everything that the surfaces need. A change that concerns the engine is
stored as a `Change`: the runner applies it at its next commit, or at its next start, and a replay
repeats the event that it writes then.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from apps.crawls.lifecycle.events import write_event
from apps.crawls.lifecycle.wake import wake
from apps.crawls.models import Change, Crawl
from apps.engine.codes import State
from apps.engine.crawl.steering import ApplyChange

Person = User | None
Payload = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Undo:
    """How an event is undone.

    `about` names its object: of two events about the same object, only the newer can be undone.
    `stands`: whether the row still has what the event set, `fits` whether the crawl can still
    have what was before; `carry_out` restores that, or raises CrawlRefused with the reason.
    """

    about: Callable[[Payload], Hashable]
    stands: Callable[[Crawl, Payload], bool]
    carry_out: Callable[[Crawl, Payload, Person], None]
    fits: Callable[[Crawl, Payload], bool] = lambda crawl, payload: True


@dataclass(frozen=True, slots=True)
class EventKind:
    """A kind of event: `title` in bold, then the `words` of its payload.

    `letter` marks it on the charts, if it may bend a curve. `apply` applies the event in the
    engine, now and in a replay; None if it does not concern the engine.
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

    `act` takes the crawl, the `value` as text of a form or the API, and the person; it returns a
    sentence for them, empty if the page shows the effect anyway, and raises CrawlRefused. `value`
    describes the text; it is empty if the command takes none.
    """

    name: str
    title: str
    does: str
    act: Callable[[Crawl, str, Person], str]
    value: str = ""
    events: tuple[EventKind, ...] = ()


def ask(crawl: Crawl, kind: str, payload: dict[str, Any], by: Person, **row: Any) -> None:
    """Stores a change for the runner and shows the new value in the row at once.

    A crawl that is not running applies it at its next start, before it fetches anything.
    """
    with transaction.atomic():
        Change.objects.create(crawl=crawl, kind=kind, payload=payload, by=by)
        Crawl.objects.filter(pk=crawl.pk).update(commits=F("commits") + 1, **row)
        transaction.on_commit(lambda: wake(crawl.pk))
    crawl.refresh_from_db()


def write_down(crawl: Crawl, kind: str, payload: dict[str, Any], by: Person, **row: Any) -> None:
    """Changes only the row, for what does not concern the engine; the event needs no start.

    While a runner runs it alone writes events, so it is asked to. Otherwise the event is written
    here; the update of the row keeps any runner out until that is done.
    """
    with transaction.atomic():
        idle = Crawl.objects.filter(pk=crawl.pk, runner="")
        if not idle.update(commits=F("commits") + 1, **row):
            ask(crawl, kind, payload, by, **row)
            return
        crawl.refresh_from_db()
        write_event(
            crawl,
            kind,
            payload,
            request=crawl.requests,
            pages=crawl.pages,
            by_id=by.pk if by else None,
        )
        transaction.on_commit(lambda: wake(crawl.pk))


def when(crawl: Crawl) -> str:
    """When a change of this crawl takes effect, as a sentence."""
    if crawl.state == State.RUNNING:
        return "It takes effect with the next pages."
    return f"The crawl is {crawl.state}: it takes effect at its next start."


def unless_running(crawl: Crawl) -> str:
    """When the change takes effect; empty if the page shows that anyway."""
    return "" if crawl.state == State.RUNNING else when(crawl)
