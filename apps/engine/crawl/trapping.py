"""Telling the frontier's traps what a page has given, and recording what is set aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.engine.frontier.entries import Entry
from apps.engine.frontier.quarantine import set_aside
from apps.engine.frontier.traps import distinct
from apps.engine.model import Visit

if TYPE_CHECKING:
    from apps.engine.crawl.loop import Crawl

KIND = "trap"


def watch(crawl: Crawl, visit: Visit, known: int) -> None:
    """After a page whose links are queued; `known` URLs were discovered before it."""
    frontier = crawl.frontier
    links = visit.link_numbers[visit.link_numbers >= known].tolist()
    new = [frontier.urls[n] for n in links if frontier.state_of(n) is Entry.WAITING]
    frontier.traps.visited(
        frontier.urls[visit.url_number],
        frontier.host_of(visit.url_number).name,
        distinct(visit.tokens[: visit.document.visible]),
        new,
    )
    for trap in frontier.traps.news():
        payload = {"rule": trap.rule, "place": trap.place, "example": trap.example}
        crawl.note(KIND, {**payload, "urls": set_aside(frontier, trap)})
