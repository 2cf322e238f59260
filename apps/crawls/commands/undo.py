"""Undoing events: each undo is a change with its own event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from apps.crawls.commands.command import (
    Command,
    EventKind,
    Payload,
    Person,
    Undo,
    unless_running,
)
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Change, Crawl, Event

NEXT = "next-"


@dataclass(frozen=True, slots=True)
class Done:
    """An event, or a change that is not applied yet; `key` names it in a form and in the API."""

    key: str
    kind: str
    payload: Payload

    @classmethod
    def of_event(cls, event: Event) -> Done:
        return cls(str(event.seq), event.kind, event.payload)

    @classmethod
    def of_change(cls, change: Change) -> Done:
        return cls(f"{NEXT}{change.pk}", change.kind, change.payload)


def undo_command(kinds: Mapping[str, EventKind]) -> Command:
    """The command that undoes events of these kinds."""

    def act(crawl: Crawl, value: str, by: Person) -> str:
        undo(crawl, value, kinds, by)
        return unless_running(crawl)

    return Command(
        name="undo",
        title="Undo",
        does="Undoes an event, unless a newer one has changed the same thing.",
        act=act,
        value="the number of an event, or next- and the number of a change that waits for the"
        " next start",
    )


def undo(crawl: Crawl, key: str, kinds: Mapping[str, EventKind], by: Person = None) -> None:
    """Restores what was before. Raises CrawlRefused if something newer has changed it, or if the
    crawl cannot have it any more."""
    done = _find(crawl, key)
    if done is None:
        raise CrawlRefused("event", "There is no such event.")
    ways_back = {done.key: way for done, way in _standing(crawl, _newest_first(crawl), kinds)}
    if key not in ways_back:
        raise CrawlRefused("event", "This cannot be undone any more: it has been changed since.")
    ways_back[key].carry_out(crawl, done.payload, by)


def undoable(
    crawl: Crawl, newest_first: Iterable[Done], kinds: Mapping[str, EventKind]
) -> frozenset[str]:
    """The keys that can be undone: the newest of each object, if the row still has its value and
    can have the one before."""
    standing = _standing(crawl, newest_first, kinds)
    return frozenset(done.key for done, way in standing if way.fits(crawl, done.payload))


def _standing(
    crawl: Crawl, newest_first: Iterable[Done], kinds: Mapping[str, EventKind]
) -> Iterator[tuple[Done, Undo]]:
    """The newest of each object, if the row still has its value, and how it is undone."""
    seen: set[Any] = set()
    for done in newest_first:
        kind = kinds.get(done.kind)
        if kind is None or kind.undo is None:
            continue
        about = kind.undo.about(done.payload)
        if about not in seen and kind.undo.stands(crawl, done.payload):
            yield done, kind.undo
        seen.add(about)


def waiting(crawl: Crawl) -> list[Change]:
    """Changes that wait for the next commit or the next start, newest first."""
    return list(crawl.changes.filter(applied=False).select_related("by").order_by("-id"))


def _newest_first(crawl: Crawl) -> list[Done]:
    asked = [Done.of_change(change) for change in waiting(crawl)]
    return [*asked, *(Done.of_event(event) for event in crawl.events.order_by("-seq"))]


def _find(crawl: Crawl, key: str) -> Done | None:
    return next((done for done in _newest_first(crawl) if done.key == key), None)
