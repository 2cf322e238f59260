"""Setting the waiting URLs of a trap aside, and taking them in again."""

from __future__ import annotations

import numpy as np

from apps.engine.frontier.places import place_of
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.traps import Trap
from apps.engine.frontier.url_states import UrlState
from apps.engine.model import Exclusion, Longs


def set_aside(frontier: Frontier, trap: Trap) -> int:
    """Leaves out what waits and belongs to a trap found just now; says how many that are.

    Seeds stay, and what a page outside the trap links to.
    """
    found = _SETTING_ASIDE[trap.rule](frontier, trap)
    found = [number for number in found if frontier.parent[number] >= 0]
    for number in found:
        frontier.exclude(number, Exclusion.TRAP)
    return len(found)


def take_in(frontier: Frontier, trap: tuple[str, str], now: float) -> int:
    """Has what was left out for a trap wait again, and trusts the place; says how many waited."""
    frontier.traps.trust(trap)
    count = 0
    for number in frontier.excluded_for(Exclusion.TRAP):
        host = frontier.host_of(number).name
        is_meant = frontier.traps.covers(trap, frontier.urls[number], host)
        if is_meant and frontier.refused(number) is None:
            frontier.readmit(number, now)
            count += 1
    return count


def _nothing(frontier: Frontier, trap: Trap) -> list[int]:
    """Endless paths are told by themselves: none has ever waited."""
    return []


def _only_from_inside(frontier: Frontier, trap: Trap) -> list[int]:
    """What waits at a place and is linked to from the trap's pages alone, or is closed."""
    urls, traps = frontier.urls, frontier.traps
    waiting = _waiting(frontier, trap.place.partition("/")[0])
    inside = np.array([n for n in waiting.tolist() if place_of(urls[n]) == trap.place], np.int64)
    rows, pages = frontier.edges(inside)
    kept = set(rows[~np.isin(pages, trap.pages)].tolist())
    return [
        number
        for row, number in enumerate(inside.tolist())
        if row not in kept or traps.is_closed(urls[number], trap.place)
    ]


def _one_more(frontier: Frontier, trap: Trap) -> list[int]:
    """What waits though another value of the idle slot has been fetched or waits as well."""
    host = trap.place.partition(" ")[0]
    waiting = _waiting(frontier, host)
    fetched = np.setdiff1d(frontier.of_host(host), waiting)
    urls, idle = frontier.urls, frontier.traps.idle
    asked = [urls[n] for n in fetched.tolist() if frontier.state_of(n) is not UrlState.EXCLUDED]
    idle.know(trap.place, asked)
    repeats = idle.know(trap.place, [urls[n] for n in waiting.tolist()])
    return [int(number) for number in waiting[np.array(repeats, bool)]]


def _waiting(frontier: Frontier, host: str) -> Longs:
    return np.intersect1d(frontier.waiting_numbers(), frontier.of_host(host), assume_unique=True)


_SETTING_ASIDE = {
    "endless_path": _nothing,
    "nothing_new": _only_from_inside,
    "idle_parameter": _one_more,
}
