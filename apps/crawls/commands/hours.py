"""A limit on a crawl's working time in hours; pauses do not count."""

from __future__ import annotations

import math

from apps.crawls.commands.command import Command, EventKind, Payload, Person, Undo, write_down
from apps.crawls.commands.resume import resume
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl
from apps.engine.model import State, StopReason

KIND = "hours"
MOST = 10_000.0


def parse(text: str) -> float | None:
    """Hours, or None (an empty text) for no limit. Raises CrawlRefused."""
    if not text.strip():
        return None
    try:
        hours = float(text)
    except ValueError:
        hours = math.nan
    if not 0 < hours <= MOST:
        raise CrawlRefused(KIND, f"Give hours above 0 and up to {MOST:,.0f}, or nothing.")
    return hours


def limit_hours(crawl: Crawl, hours: float | None, by: Person = None) -> None:
    """Ends the crawl after so much working time. Raises CrawlRefused if it is over already."""
    if hours is not None and crawl.seconds >= 3600 * hours:
        raise CrawlRefused(
            KIND, f"The crawl has been at work for {crawl.seconds / 3600:.2f} hours: give more."
        )
    write_down(crawl, KIND, {"value": hours, "before": crawl.hours}, by, hours=hours)


def _act(crawl: Crawl, value: str, by: Person) -> str:
    limit_hours(crawl, parse(value), by)
    if crawl.state == State.FINISHED and crawl.reason == StopReason.HOURS_REACHED:
        resume(crawl, by)
    return ""


def _words(payload: Payload) -> str:
    hours = payload["value"]
    return "lifted" if hours is None else f"to {hours:g} hours at work"


HOURS = Command(
    name=KIND,
    title="Stop after hours",
    does="Ends the crawl after so many hours at work; a crawl that ended by this limit continues"
    " if it is raised.",
    act=_act,
    value="hours at work, or nothing for no limit",
    events=(
        EventKind(
            KIND, "Time limit changed", _words,
            undo=Undo(
                about=lambda payload: KIND,
                stands=lambda crawl, p: bool(crawl.hours == p["value"]),
                carry_out=lambda crawl, p, by: limit_hours(crawl, p["before"], by),
            ),
        ),
    ),
)
