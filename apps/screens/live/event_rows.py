"""Events of a crawl in words, and changes that are not applied yet."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from apps.crawls.commands.catalogue import EVENT_KINDS
from apps.crawls.commands.undo import Done
from apps.crawls.models import Change, Crawl, Event, Page


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event as a row: `what` in bold, then `more`, then the person.

    `key` names it for an undo and is empty if it cannot be undone. `pages` is None for a change
    that waits for the next start. `own` says that it was the crawl's owner, who reads "you".
    `page` is the one page that it concerns, if it concerns one.
    """

    at: datetime
    pages: int | None
    letter: str
    what: str
    more: str
    by: str
    own: bool
    key: str
    page: Page | None


def event_rows(
    crawl: Crawl, events: Sequence[Event], undoable: Collection[str] = frozenset()
) -> list[EventRow]:
    """The rows of `events`, in their order; `undoable` are the keys that can be undone."""
    done = [Done.of_event(event) for event in events]
    pages = _pages(crawl, done)
    return [
        _row(crawl, each, event.at, event.pages, event.by, undoable, pages)
        for each, event in zip(done, events, strict=True)
    ]


def waiting_rows(
    crawl: Crawl, changes: Sequence[Change], undoable: Collection[str] = frozenset()
) -> list[EventRow]:
    """The rows of changes that take effect at the next start."""
    done = [Done.of_change(change) for change in changes]
    pages = _pages(crawl, done)
    return [
        _row(crawl, each, change.asked_at, None, change.by, undoable, pages)
        for each, change in zip(done, changes, strict=True)
    ]


def _pages(crawl: Crawl, done: Sequence[Done]) -> dict[int, Page]:
    """The pages that events concern, by `seq`."""
    seqs = {seq for each in done if (seq := _page_of(each.payload)) is not None}
    pages = crawl.pages_fetched.filter(seq__in=seqs).only("seq", "title", "final_url", "crawl_id")
    return {page.seq: page for page in pages} if seqs else {}


def _page_of(payload: Mapping[str, Any]) -> int | None:
    """The number of the one page that was labelled or skipped.

    A retraining lists the keys of its labels, a labelling a row for each page.
    """
    labels = payload.get("labels")
    if isinstance(labels, list) and len(labels) == 1 and isinstance(labels[0], list):
        return int(labels[0][0])
    page = payload.get("page")
    return page if isinstance(page, int) else None


def _row(
    crawl: Crawl,
    done: Done,
    at: datetime,
    pages: int | None,
    by: User | None,
    undoable: Collection[str],
    concerned: Mapping[int, Page],
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
        page=concerned.get(_page_of(done.payload) or 0),
    )


def words(kind: str, payload: Mapping[str, Any]) -> tuple[str, str]:
    """The title of an event and what its payload adds."""
    event_kind = EVENT_KINDS.get(kind)
    if event_kind is not None:
        return event_kind.title, event_kind.words(payload)
    return kind.replace("_", " ").capitalize(), _plain(payload)


def _plain(payload: Mapping[str, Any]) -> str:
    """A payload of plain values in words."""
    plain = {key: value for key, value in payload.items() if isinstance(value, str | int | float)}
    return ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in plain.items())
