"""A limit on the pages a second over all hosts, or full speed."""

from __future__ import annotations

from apps.crawls.commands.command import (
    Command,
    EventKind,
    Payload,
    Person,
    Undo,
    ask,
    unless_running,
)
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl
from apps.schemas.refused import Refused

KIND = "pace"
RATE = "pages_per_second"


def parse(text: str) -> float | None:
    """Pages a second, or None (an empty text) for full speed. Raises CrawlRefused."""
    # A crawl loads every command, and no schema.
    from apps.crawls.schemas import PolitenessRules
    from apps.schemas.input import describe_accepted

    try:
        rules = PolitenessRules.read({RATE: float(text) if text.strip() else None})
    except (ValueError, Refused):
        raise CrawlRefused(KIND, describe_accepted(PolitenessRules, RATE)) from None
    return rules.pages_per_second


def change_pace(crawl: Crawl, rate: float | None, by: Person = None) -> None:
    """Limits the pages a second, or lifts the limit."""
    payload = {RATE: rate, "before": crawl.politeness.get(RATE)}
    ask(crawl, KIND, payload, by, politeness={**crawl.politeness, RATE: rate})


def _act(crawl: Crawl, value: str, by: Person) -> str:
    change_pace(crawl, parse(value), by)
    return unless_running(crawl)


def _words(payload: Payload) -> str:
    rate = payload[RATE]
    return "to full speed" if rate is None else f"to {rate:g} pages/s"


PACE = Command(
    name=KIND,
    title="Change pace",
    does="Limits the crawl to so many pages a second over all hosts, or lifts the limit. On a"
    " recorded web the pages and their order stay the same.",
    act=_act,
    value="pages a second, or nothing for full speed",
    events=(
        EventKind(
            KIND,
            "Pace changed",
            _words,
            apply=lambda steering, p: steering.set_pace(p[RATE]),
            undo=Undo(
                about=lambda payload: KIND,
                stands=lambda crawl, p: bool(crawl.politeness.get(RATE) == p[RATE]),
                carry_out=lambda crawl, p, by: change_pace(crawl, p["before"], by),
            ),
        ),
    ),
)
