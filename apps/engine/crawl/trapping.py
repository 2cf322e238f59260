"""Reports fetched pages to the trap detector and excludes the URLs of the traps it detects."""

from __future__ import annotations

from typing import Any

from apps.engine.frontier.quarantine import exclude_trap
from apps.engine.frontier.queue import Frontier
from apps.engine.model import Visit

KIND = "trap"


def watch(frontier: Frontier, visit: Visit, discovered: int) -> list[dict[str, Any]]:
    """Excludes the URLs of traps that the page revealed; returns one event payload per trap.

    Call it after the page's links are queued; `discovered` is the number of URLs discovered before.
    """
    links = frontier.waiting_among(visit.link_numbers[visit.link_numbers >= discovered])
    new = [frontier.urls[link] for link in links.tolist()]
    number = visit.url_number
    frontier.traps.leave(number, frontier.host_of(number).name, new)
    return [
        {
            "rule": trap.rule,
            "place": trap.location,
            "example": trap.example,
            "urls": exclude_trap(frontier, trap),
        }
        for trap in frontier.traps.news()
    ]
