"""The messages of the live page: a snapshot first, then deltas.

Both have one form. A client that has drawn the samples up to number `after` is brought to `seq`;
one that has drawn others drops the curves (it has them) or asks again (it missed some). A piece of
HTML is sent whole once it has changed; the web server compresses each message. Measured on the demo
crawl, the median of a message with all that changed is 61 kB at 4 pages a second and 84 kB at 26,
compressed 6.6 and 8.8 kB; 9.0 kB at most.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from django.contrib.auth.models import User

from apps.crawls.charts import CHARTS
from apps.crawls.commands.catalogue import letters
from apps.crawls.commands.limits.budget import suggested
from apps.screens.live.ages import Ages, FeedHeartbeat, ages
from apps.screens.live.captions import captions
from apps.screens.live.fragments import Fragments, fragments, rows
from apps.screens.live.live_state import LiveState
from apps.screens.live.trajectory import Splices, splices


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
    """One message. `fragments` and `rows` are HTML; `summaries` are the charts' text alternatives.

    A snapshot has all of them. A delta has the pieces that have changed and the new rows, and no
    curves or summaries unless a sample is new.
    """

    kind: Literal["snapshot", "delta"]
    after: int
    seq: int
    ages: Ages
    status: ControlValues
    axes: Axes
    curves: Splices
    marks: list[EventMark]
    summaries: Mapping[str, str]
    fragments: Mapping[str, str]
    rows: str

    def plain(self) -> dict[str, Any]:
        """The message as plain values, as a received one is read."""
        read: dict[str, Any] = json.loads(as_json(self))
        return read


@dataclass(slots=True)
class SentState:
    """What all open pages have been sent: samples up to `seq`, pages up to `page`, the pieces."""

    seq: int = 0
    page: int = 0
    pieces: Fragments = field(default_factory=dict)

    def take(self, state: LiveState, pieces: Fragments) -> None:
        """Records that a whole state has been sent."""
        self.seq, self.page = state.trajectory.seq, state.newest_page
        self.pieces = pieces


def as_json(message: Message | FeedHeartbeat) -> str:
    """The message in the form in which it is sent."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False, default=_fields)


def _fields(value: Any) -> dict[str, Any]:
    """A dataclass's own fields, without deep copies."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


def first_shown(state: LiveState) -> SentState:
    """A state as the first thing sent."""
    shown = SentState()
    shown.take(state, fragments(state))
    return shown


def snapshot(
    state: LiveState, shown: SentState, after: int = 0, reader: User | None = None
) -> Message:
    """Everything, for a reader's client that has drawn the samples up to `after` (0: none)."""
    base = after if 0 <= after <= state.trajectory.seq else 0
    return _message("snapshot", state, base, shown.pieces, rows(state, 0, reader))


def delta(state: LiveState, shown: SentState) -> Message | None:
    """The changes since `shown`, which is updated; None if there are none."""
    pieces = fragments(state)
    changed = {id: html for id, html in pieces.items() if shown.pieces.get(id) != html}
    seq, page = shown.seq, shown.page
    if not changed and (state.trajectory.seq, state.newest_page) == (seq, page):
        return None
    shown.take(state, pieces)
    return _message("delta", state, seq, changed, rows(state, page))


def _message(
    kind: Literal["snapshot", "delta"],
    state: LiveState,
    after: int,
    pieces: Mapping[str, str],
    new_rows: str,
) -> Message:
    trajectory = state.trajectory
    is_new = kind == "snapshot" or trajectory.seq > after or not trajectory.seq
    return Message(
        kind=kind,
        after=after,
        seq=trajectory.seq,
        ages=ages(state),
        status=_status(state),
        axes=Axes(
            trajectory.pages_ceiling(),
            trajectory.minutes_ceiling(),
            {chart.id: trajectory.ceiling(chart) for chart in CHARTS},
        ),
        curves=splices(trajectory.curves(after), trajectory.curves()) if is_new else {},
        marks=_marks(state),
        summaries=_summaries(state) if is_new else {},
        fragments=pieces,
        rows=new_rows,
    )


def _summaries(state: LiveState) -> dict[str, str]:
    by_chart = captions(state.crawl, state.trajectory)
    return {id: caption.summary for id, caption in by_chart.items()}


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
