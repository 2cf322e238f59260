"""The messages of the live page: a snapshot first, then deltas.

Both have one form. A client that has drawn the samples up to number `after` is brought to `seq`;
one that has drawn others drops the curves (it has them) or asks again (it missed some). A delta
patches the pieces of HTML that the message before left, and holds as many of them as there is room
for; the others follow in the next.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import islice
from typing import Any, Literal

from django.contrib.auth.models import User

from apps.crawls.charts import CHARTS
from apps.crawls.commands.catalogue import letters
from apps.crawls.commands.limits.budget import suggested
from apps.screens.live.ages import Ages, ages
from apps.screens.live.feed_pages import page_rows
from apps.screens.live.fragments import ROW, Fragments, fragments
from apps.screens.live.live_state import LiveState
from apps.screens.live.patches import Patch, PatchWriter
from apps.screens.live.trajectory import Splices, splices

DELTA_BYTES = 10_000
"""Pieces wait for the next delta once it has so many bytes. Only a piece that takes nearly all of
them alone can make it larger."""

ROWS_BYTES = 5_500
"""Of the new rows those that fit into so many bytes are sent, the newest first; into fewer if the
first piece leaves no more."""


@dataclass(frozen=True, slots=True)
class EventMark:
    """A dotted vertical line with its letter, at a number of pages: of `times` events."""

    pages: int
    letter: str
    times: int


@dataclass(frozen=True, slots=True)
class ControlValues:
    """Values that set controls. `next_budget` is what the form proposes, `delta` is the current δ,
    None if the strategy has none."""

    state: str
    desired: str
    pages: int
    budget: int
    next_budget: int
    delta: float | None


@dataclass(frozen=True, slots=True)
class Axes:
    """The upper ends of the axes: pages for all charts, `values` by the chart's id.

    `minutes` of active time can replace pages; None if they were not recorded.
    """

    pages: int
    minutes: float | None
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Message:
    """One message; `number` counts the deltas.

    A snapshot has all pieces of HTML and rows of pages as they are. A delta has patches of the
    pieces that changed, and the new rows as patches of the newest row before; it has no curves
    unless a sample is new.
    """

    kind: Literal["snapshot", "delta"]
    after: int
    seq: int
    number: int
    ages: Ages
    status: ControlValues
    axes: Axes
    curves: Splices
    marks: list[EventMark]
    rows: Sequence[str] | Sequence[Patch] = ()
    fragments: Mapping[str, str] | Mapping[str, Patch] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        """The message as plain values, as a received one is read."""
        read: dict[str, Any] = json.loads(as_json(self))
        return read


@dataclass(slots=True)
class SentState:
    """What has been sent to all open pages: samples up to `seq`, pages up to `page`, the pieces.

    `number` counts the deltas, `late` those that had no room for a piece.
    """

    seq: int = 0
    page: int = 0
    number: int = 0
    pieces: Fragments = field(default_factory=dict)
    late: Counter[str] = field(default_factory=Counter)

    def changed(self, pieces: Fragments) -> list[str]:
        """The ids of the pieces to send: those first that waited longest, then the shortest."""
        changed = [id for id, html in pieces.items() if self.pieces.get(id) != html]
        return sorted(changed, key=lambda id: (-self.late[id], len(pieces[id])))

    def take(self, written: Fragments, changed: Iterable[str]) -> None:
        """Notes what is sent of the pieces that `changed`."""
        self.pieces |= written
        self.late = Counter({id: self.late[id] + 1 for id in changed if id not in written})


def as_json(value: object) -> str:
    """A message, or a part of one, in the form in which it is sent."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, default=_fields)


def _fields(value: Any) -> dict[str, Any]:
    """A dataclass's own fields, without deep copies."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


def first_shown(state: LiveState) -> SentState:
    """A state as the first thing sent."""
    newest = page_rows(state.crawl, state.pages[:1], None)
    pieces = fragments(state) | {ROW: "".join(newest)}
    return SentState(state.trajectory.seq, state.newest_page, pieces=pieces)


def snapshot(
    state: LiveState, shown: SentState, after: int = 0, reader: User | None = None
) -> Message:
    """Everything, for a reader's client that has drawn the samples up to `after` (0: none).

    Of the pieces it has what all open pages have, so that the next delta can patch them.
    """
    base = after if 0 <= after <= state.trajectory.seq else 0
    message = _message("snapshot", state, base, shown.number)
    return replace(
        message, rows=page_rows(state.crawl, state.pages, reader), fragments=dict(shown.pieces)
    )


def delta(state: LiveState, shown: SentState) -> Message | None:
    """The changes since `shown`, which is updated; None if there are none."""
    pieces = fragments(state)
    changed = shown.changed(pieces)
    new_pages = [page for page in state.pages if page.seq > shown.page]
    if not (changed or new_pages or state.trajectory.seq > shown.seq):
        return None
    shown.number += 1
    message = _message("delta", state, shown.seq, shown.number)
    shown.seq, shown.page = state.trajectory.seq, state.newest_page
    new_rows = page_rows(state.crawl, new_pages, None)
    return _with_patches(message, new_rows, {id: pieces[id] for id in changed}, shown)


def _with_patches(
    message: Message, new_rows: Sequence[str], changed: Fragments, shown: SentState
) -> Message:
    """The message with patches of the first piece, of the rows, and of the further pieces in order
    until one has no room."""
    writer, room = PatchWriter(), DELTA_BYTES - _bytes(message)
    patches = ((id, writer.write(shown.pieces.get(id, ""), html)) for id, html in changed.items())
    written = dict(islice(patches, 1))
    room -= _bytes(written)
    rows = _patch_rows(new_rows, shown, min(room, ROWS_BYTES))
    room -= _bytes(rows)
    for id, patch in patches:
        room -= _bytes({id: patch})
        if room < 0:
            break
        written[id] = patch
    shown.take({id: changed[id] for id in written}, changed)
    return replace(message, rows=rows, fragments=written)


def _patch_rows(new: Sequence[str], shown: SentState, room: int) -> list[Patch]:
    """Patches of the newest row that was sent, for as many of the `new` ones as there is room, but
    for one at least."""
    writer = PatchWriter()
    written: list[Patch] = []
    for row in new:
        patch = writer.write(shown.pieces[ROW], row)
        room -= _bytes(patch)
        if written and room < 0:
            break
        written.append(patch)
    if new:
        shown.pieces[ROW] = new[0]
    return written


def _bytes(value: object) -> int:
    return len(as_json(value).encode())


def _message(
    kind: Literal["snapshot", "delta"], state: LiveState, after: int, number: int
) -> Message:
    """A message without HTML."""
    trajectory = state.trajectory
    is_new = kind == "snapshot" or trajectory.seq > after or not trajectory.seq
    return Message(
        kind=kind,
        after=after,
        seq=trajectory.seq,
        number=number,
        ages=ages(state),
        status=_status(state),
        axes=Axes(
            trajectory.pages_ceiling(),
            trajectory.minutes_ceiling(),
            {chart.id: trajectory.ceiling(chart) for chart in CHARTS},
        ),
        curves=splices(trajectory.curves(after), trajectory.curves()) if is_new else {},
        marks=_marks(state),
    )


def _marks(state: LiveState) -> list[EventMark]:
    """One mark for each number of pages and kind of event, with the number of events."""
    letter = letters()
    counts = Counter((event.pages, letter[event.kind]) for event in state.marks)
    return [EventMark(pages, letter, times) for (pages, letter), times in counts.items()]


def _status(state: LiveState) -> ControlValues:
    crawl = state.crawl
    return ControlValues(
        state=crawl.state,
        desired=crawl.desired,
        pages=crawl.pages,
        budget=crawl.budget,
        next_budget=suggested(crawl),
        delta=crawl.parameters.get("delta"),
    )
