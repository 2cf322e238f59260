"""The events of an experiment, as rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from apps.experiments.models import ExperimentEvent


@dataclass(frozen=True, slots=True)
class ExperimentEventRow:
    """An event: `what` in bold, then `more`, then the person; `cells` had ended by then."""

    at: datetime
    cells: int
    what: str
    more: str
    by: str


def event_rows(events: Iterable[ExperimentEvent], person: User) -> list[ExperimentEventRow]:
    """The rows of events (with their person); one's own are by "you"."""
    return [_row(event, person) for event in events]


def _row(event: ExperimentEvent, person: User) -> ExperimentEventRow:
    what, full_stop, more = event.words.partition(". ")
    return ExperimentEventRow(
        event.at, event.cells, what + full_stop.strip(), more, _by(event, person)
    )


def _by(event: ExperimentEvent, person: User) -> str:
    if event.by is None:
        return ""
    return "you" if event.by == person else event.by.get_full_name() or event.by.get_username()
