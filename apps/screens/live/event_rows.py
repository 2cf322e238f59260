"""Events of a crawl in words, and changes that are not applied yet."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractUser

from apps.crawls.commands.catalogue import EVENT_KINDS
from apps.crawls.commands.undo import Done
from apps.crawls.models import Change, Crawl, Event


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event as a row: `what` in bold, then `more`, then the person.

    `key` names it for an undo and is empty if it cannot be undone. `pages` is None for a change
    that waits for the next start. `own` says that it was the crawl's owner, who reads "you".
    """

    at: datetime
    pages: int | None
    letter: str
    what: str
    more: str
    by: str
    own: bool
    key: str


def event_rows(
    crawl: Crawl, events: Sequence[Event], undoable: Collection[str] = frozenset()
) -> list[EventRow]:
    """The rows of `events`, in their order; `undoable` are the keys that can be undone."""
    return [
        _row(crawl, Done.of_event(event), event.at, event.pages, event.by, undoable)
        for event in events
    ]


def waiting_rows(
    crawl: Crawl, changes: Sequence[Change], undoable: Collection[str] = frozenset()
) -> list[EventRow]:
    """The rows of changes that take effect at the next start."""
    return [
        _row(crawl, Done.of_change(change), change.asked_at, None, change.by, undoable)
        for change in changes
    ]


def _row(
    crawl: Crawl, done: Done, at: datetime, pages: int | None, by: AbstractUser | None,
    undoable: Collection[str],
) -> EventRow:
    what, more = words(done.kind, done.payload)
    kind = EVENT_KINDS.get(done.kind)
    return EventRow(
        at=at,
        pages=pages,
        letter=kind.letter if kind else "",
        what=what,
        more=more,
        by=(by.get_full_name() or by.get_username()) if by else "",
        own=by is not None and by.pk == crawl.owner_id,
        key=done.key if done.key in undoable else "",
    )


def words(kind: str, payload: Mapping[str, Any]) -> tuple[str, str]:
    """The title of an event and what its payload adds."""
    known = EVENT_KINDS.get(kind)
    if known is not None:
        return known.title, known.words(payload)
    return kind.replace("_", " ").capitalize(), _plain(payload)


def _plain(payload: Mapping[str, Any]) -> str:
    """A payload of plain values in words."""
    plain = {key: value for key, value in payload.items() if isinstance(value, str | int | float)}
    return ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in plain.items())
