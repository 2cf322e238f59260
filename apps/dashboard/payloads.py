"""What the live page is sent: a snapshot to begin with, then deltas.

Both are one shape. A client that has drawn the samples up to number `after` is brought to `seq`;
one that has drawn others drops the curves (it has them) or asks anew (it missed some).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from apps.dashboard.captions import captions
from apps.dashboard.charts import LETTERS
from apps.dashboard.fragments import Fragments, fragments, rows
from apps.dashboard.readings import Reading
from apps.dashboard.trajectory import Splices, splices


@dataclass(frozen=True, slots=True)
class Mark:
    """A dotted vertical with its letter, at a number of pages: of `times` events."""

    pages: int
    letter: str
    times: int


@dataclass(frozen=True, slots=True)
class Status:
    """Plain values that switch controls. `delta` is δ now, None where the strategy has none.

    `shared` says whether people other than the owner may look.
    """

    state: str
    desired: str
    pages: int
    budget: int
    delta: float | None
    shared: bool


@dataclass(frozen=True, slots=True)
class Axes:
    """Where the axes end: pages for all four plots, ln(1 + in-links) for the status.

    `minutes` of active time can take the place of pages; None where they were not recorded.
    """

    pages: int
    minutes: float | None
    status: float


@dataclass(frozen=True, slots=True)
class Message:
    """One message. `fragments` and `rows` are HTML; `summaries` read the charts aloud."""

    kind: Literal["snapshot", "delta"]
    after: int
    seq: int
    status: Status
    axes: Axes
    curves: Splices
    marks: list[Mark]
    summaries: Mapping[str, str]
    fragments: Fragments
    rows: list[str]

    def json(self) -> str:
        """The message as it is sent."""
        return json.dumps(self, separators=(",", ":"), ensure_ascii=False, default=_fields)

    def plain(self) -> dict[str, Any]:
        """The message as plain values, as one that was sent is read."""
        read: dict[str, Any] = json.loads(self.json())
        return read


def _fields(value: Any) -> dict[str, Any]:
    """A dataclass's own fields, without copying what they hold."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


def snapshot(reading: Reading, after: int = 0) -> Message:
    """Everything, for a client that has drawn the samples up to `after` (0: none)."""
    base = after if 0 <= after <= reading.trajectory.seq else 0
    return _message("snapshot", reading, base, fragments(reading), rows(reading, 0))


def delta(
    reading: Reading, seq: int, page: int, shown: Fragments, *, shared: bool | None = None
) -> Message | None:
    """What changed since sample `seq`, page `page`, the fragments `shown` and the crawl being
    `shared` or not; None: nothing."""
    pieces = fragments(reading)
    changed = {id: html for id, html in pieces.items() if shown.get(id) != html}
    same = shared in (None, reading.crawl.shared)
    if same and not changed and reading.trajectory.seq == seq and reading.newest_page == page:
        return None
    message = _message("delta", reading, seq, changed, rows(reading, page))
    shown.clear()
    shown.update(pieces)
    return message


def _message(
    kind: Literal["snapshot", "delta"],
    reading: Reading,
    after: int,
    pieces: Fragments,
    new_rows: list[str],
) -> Message:
    trajectory, crawl = reading.trajectory, reading.crawl
    return Message(
        kind=kind,
        after=after,
        seq=trajectory.seq,
        status=_status(reading),
        axes=Axes(
            trajectory.pages_ceiling(), trajectory.minutes_ceiling(), trajectory.status_ceiling()
        ),
        curves=splices(trajectory.curves(after), trajectory.curves()),
        marks=_marks(reading),
        summaries={id: c.summary for id, c in captions(crawl, trajectory).items()},
        fragments=pieces,
        rows=new_rows,
    )


def _marks(reading: Reading) -> list[Mark]:
    """One mark a place, with how often the same thing happened there."""
    found = Counter((event.pages, LETTERS[event.kind]) for event in reading.marks)
    return [Mark(pages, letter, times) for (pages, letter), times in found.items()]


def _status(reading: Reading) -> Status:
    crawl = reading.crawl
    return Status(
        state=crawl.state,
        desired=crawl.desired,
        pages=crawl.pages,
        budget=crawl.budget,
        delta=crawl.parameters.get("delta"),
        shared=crawl.shared,
    )
