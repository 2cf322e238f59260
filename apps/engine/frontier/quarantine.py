"""Excludes the waiting URLs of a trap, and readmits them."""

from __future__ import annotations

import numpy as np

from apps.engine.codes import Exclusion
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.sections import section_of
from apps.engine.frontier.subdomain_floods import location_of
from apps.engine.frontier.traps import Trap
from apps.engine.frontier.url_states import UrlState
from apps.engine.model import Longs


def exclude_trap(frontier: Frontier, trap: Trap) -> int:
    """Excludes the waiting URLs of a new trap and returns their number.

    Seeds stay, and so do URLs that a page outside the trap links to.
    """
    numbers = _URLS_OF_A_TRAP[trap.rule](frontier, trap)
    numbers = [number for number in numbers if frontier.parent[number] >= 0]
    for number in numbers:
        frontier.exclude(number, Exclusion.TRAP)
    return len(numbers)


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
    """The waiting URLs of a section that are closed or that only the trap's pages link to."""
    urls, traps = frontier.urls, frontier.traps
    waiting = _waiting(frontier, trap.location.partition("/")[0])
    inside = np.array(
        [n for n in waiting.tolist() if section_of(urls[n]) == trap.location], np.int64
    )
    rows, pages = frontier.edges(inside)
    linked_elsewhere = set(rows[~np.isin(pages, trap.pages)].tolist())
    return [
        number
        for row, number in enumerate(inside.tolist())
        if row not in linked_elsewhere or traps.is_closed(urls[number], trap.location)
    ]


def _other_values(frontier: Frontier, trap: Trap) -> list[int]:
    """The waiting URLs for which another value of the idle slot is fetched or waiting."""
    host = trap.location.partition(" ")[0]
    waiting = _waiting(frontier, host)
    fetched = np.setdiff1d(frontier.of_host(host), waiting)
    urls, idle = frontier.urls, frontier.traps.idle
    requested = [urls[n] for n in fetched.tolist() if frontier.state_of(n) is not UrlState.EXCLUDED]
    idle.repeats_among(trap.location, requested)
    repeats = idle.repeats_among(trap.location, [urls[n] for n in waiting.tolist()])
    return [int(number) for number in waiting[np.array(repeats, bool)]]


def _of_other_hosts(frontier: Frontier, trap: Trap) -> list[int]:
    """The waiting URLs of a flooded domain's other hosts at the same address."""
    return [
        number
        for number in frontier.waiting_numbers().tolist()
        if location_of(frontier.urls[number], frontier.host_of(number).name) == trap.location
    ]


def _waiting(frontier: Frontier, host: str) -> Longs:
    return np.intersect1d(frontier.waiting_numbers(), frontier.of_host(host), assume_unique=True)


_URLS_OF_A_TRAP = {
    "endless_path": _none,
    "nothing_new": _linked_from_inside,
    "idle_parameter": _other_values,
    "subdomain_flood": _of_other_hosts,
}
