"""Stops treating a place as a spider trap; its links that were set aside wait again."""

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
from apps.crawls.commands.lifecycle.resume import resume_with_links
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl

KIND = "trust_trap"
TRAP = "trap"
RULES = {
    "endless_path": "paths that repeat themselves or go on without end",
    "subdomain_flood": "one host after the other has the same page",
    "nothing_new": "page after page has the same and leads to more of it without end",
}

SECTION = "place"
"""The key of the section in the payloads of events."""


def trust_trap(crawl: Crawl, rule: str, section: str, by: Person = None) -> None:
    """Trusts the section from now on; a crawl whose frontier was empty continues with its links."""
    ask(crawl, KIND, {"rule": rule, SECTION: section}, by)
    resume_with_links(crawl, by)


def _act(crawl: Crawl, value: str, by: Person) -> str:
    traps = {event.payload[SECTION]: event.payload for event in crawl.events.filter(kind=TRAP)}
    if value not in traps:
        raise CrawlRefused("place", "There is no spider trap at this place.")
    if _is_trusted(crawl, traps[value]):
        raise CrawlRefused("place", f"{value} is trusted already.")
    trust_trap(crawl, traps[value]["rule"], value, by)
    return unless_running(crawl)


def traps_set_aside(crawl: Crawl) -> list[tuple[str, str]]:
    """The traps whose links are set aside, as (rule, section)."""
    traps = {_about(event.payload): event.payload for event in crawl.events.filter(kind=TRAP)}
    return [
        (payload["rule"], payload[SECTION])
        for payload in traps.values()
        if not _is_trusted(crawl, payload)
    ]


def _about(payload: Payload) -> tuple[str, str, str]:
    return TRAP, payload["rule"], payload[SECTION]


def _is_trusted(crawl: Crawl, payload: Payload) -> bool:
    asked = crawl.changes.filter(kind=KIND).values_list("payload", flat=True)
    return any(_about(payload) == _about(each) for each in asked)


def _why(payload: Payload) -> str:
    """`wiki.test/calendar/: page after page … ; 34 waiting links excluded`."""
    host, _, slot = payload[SECTION].partition(" ")
    why = RULES.get(payload["rule"], f"{slot} makes no difference to the pages")
    return f"{host}: {why}; {payload['urls']:,} waiting links excluded"


TRUST_TRAP = Command(
    name=KIND,
    title="Trust place",
    does="Stops treating a place as a spider trap; its links that were set aside wait again.",
    act=_act,
    value="the place that the event of the trap names",
    events=(
        EventKind(
            KIND,
            "Spider trap included again",
            lambda payload: str(payload[SECTION]),
            apply=lambda steering, p: steering.trust_trap(p["rule"], p[SECTION]),
        ),
        EventKind(
            TRAP,
            "Spider trap set aside",
            _why,
            letter="T",
            undo=Undo(
                _about,
                stands=lambda crawl, p: not _is_trusted(crawl, p),
                carry_out=lambda crawl, p, by: trust_trap(crawl, p["rule"], p[SECTION], by),
            ),
        ),
    ),
)
