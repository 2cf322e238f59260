"""Reports fetched pages to the frontier's traps, and sets aside what they find."""

from __future__ import annotations

from typing import Any

from apps.engine.frontier.quarantine import set_aside
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.url_states import UrlState
from apps.engine.model import Visit

KIND = "trap"


def watch(frontier: Frontier, visit: Visit, known: int) -> list[dict[str, Any]]:
    """The payload of one event for each trap that the page revealed, its URLs set aside.

    Called when the page's links are queued; `known` URLs were discovered before the page.
    """
    links = visit.link_numbers[visit.link_numbers >= known].tolist()
    new = [frontier.urls[n] for n in links if frontier.state_of(n) is UrlState.WAITING]
    number = visit.url_number
    frontier.traps.leave(number, frontier.host_of(number).name, new)
    return [
        {"rule": trap.rule, "place": trap.place, "example": trap.example,
         "urls": set_aside(frontier, trap)}
        for trap in frontier.traps.news()
    ]
