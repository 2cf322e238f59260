"""Events of machines in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from apps.machines.events import KINDS
from apps.machines.models import MachineEvent


@dataclass(frozen=True, slots=True)
class MachineEventRow:
    """An event as a row: `what` in bold, then `more`, then the person; `crawl` is its number, if it
    is about one."""

    at: datetime
    machine: str
    what: str
    more: str
    by: str
    crawl: int | None
    upgrade: bool


def event_rows(events: Iterable[MachineEvent]) -> list[MachineEventRow]:
    """The rows of events, in their order; kinds of other versions are shown by their names."""
    return [_row(event) for event in events]


def _row(event: MachineEvent) -> MachineEventRow:
    kind, by = KINDS.get(event.kind), event.by
    return MachineEventRow(
        at=event.at,
        machine=event.machine or "another machine",
        what=kind.title if kind else event.kind.replace("_", " ").capitalize(),
        more=kind.words(event.payload) if kind else "",
        by=(by.get_full_name() or by.get_username()) if by else "",
        crawl=event.payload.get("crawl"),
        upgrade=bool(kind and kind.upgrade),
    )
