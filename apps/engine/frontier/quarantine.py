"""Excludes the waiting URLs of a trap, and readmits them."""

from __future__ import annotations

import numpy as np

from apps.engine.codes import Exclusion
from apps.engine.frontier.places import place_of
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.traps import Trap
from apps.engine.frontier.url_states import UrlState
from apps.engine.model import Longs


def exclude_trap(frontier: Frontier, trap: Trap) -> int:
    """Excludes the waiting URLs of a new trap and returns their number.

    Seeds stay, and so do URLs that a page outside the trap links to.
    """
    found = _URLS_OF_A_TRAP[trap.rule](frontier, trap)
    found = [number for number in found if frontier.parent[number] >= 0]
    for number in found:
        frontier.exclude(number, Exclusion.TRAP)
    return len(found)


def readmit_trap(frontier: Frontier, trap: tuple[str, str], now: float) -> int:
    """Trusts a trap, queues its excluded URLs again and returns their number."""
    frontier.traps.trust(trap)
    count = 0
    for number in frontier.excluded_for(Exclusion.TRAP):
        host = frontier.host_of(number).name
        is_meant = frontier.traps.covers(trap, frontier.urls[number], host)
        if is_meant and frontier.refused(number) is None:
            frontier.readmit(number, now)
            count += 1
    return count


def _none(frontier: Frontier, trap: Trap) -> list[int]:
    """None: a URL with an endless path is excluded when it is discovered."""
    return []


def _linked_from_inside(frontier: Frontier, trap: Trap) -> list[int]:
    """The waiting URLs of a place that are closed or that only the trap's pages link to."""
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


def _other_values(frontier: Frontier, trap: Trap) -> list[int]:
    """The waiting URLs for which another value of the idle slot is fetched or waiting."""
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


_URLS_OF_A_TRAP = {
    "endless_path": _none,
    "nothing_new": _linked_from_inside,
    "idle_parameter": _other_values,
}
