"""Changes of a topic's decisions on hosts, as a frontier obeys them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from apps.engine.codes import Exclusion
from apps.engine.frontier.host_decisions import Reach
from apps.engine.frontier.queue import Frontier

_REASONS = (Exclusion.HOST_OUT, Exclusion.HOST_NOT_IN)


def decide_hosts(frontier: Frontier, decisions: Mapping[str, bool | None], now: float) -> None:
    """Takes hosts as in (True), out or undecided (None), by the names of `HostDecisions`.

    Waiting URLs of hosts that are out are excluded, seeds too; what only decisions have excluded is
    queued again.
    """
    scope = frontier.scope
    frontier.scope = replace(
        scope,
        hosts_in=_changed(scope.hosts_in, decisions, True),
        hosts_out=_changed(scope.hosts_out, decisions, False),
    )
    frontier.beyond = _beyond(frontier)
    for number in frontier.waiting_numbers().tolist():
        reason = frontier.refused(number)
        is_seed = frontier.parent[number] < 0
        if reason is Exclusion.HOST_OUT or (reason is Exclusion.HOST_NOT_IN and not is_seed):
            frontier.exclude(number, reason)
    for reason in _REASONS:
        for number in frontier.excluded_for(reason):
            is_seed = frontier.parent[number] < 0
            refused = frontier.refused(number)
            if refused is None or (is_seed and refused is not Exclusion.HOST_OUT):
                frontier.readmit(number, now)
                frontier.hosts.reschedule(frontier.host_of(number), now)


def _changed(
    names: Iterable[str], decisions: Mapping[str, bool | None], is_in: bool
) -> tuple[str, ...]:
    others = [name for name in names if name not in decisions]
    return (*others, *(name for name, decided in decisions.items() if decided is is_in))


def _beyond(frontier: Frontier) -> set[int]:
    """The URLs that pages of hosts taken in link to, if the scope asks for them."""
    if frontier.scope.reach != Reach.ONE_LINK:
        return set()
    pages = frontier.fetched_numbers().tolist()
    inside = np.array([number for number in pages if frontier.leads_beyond(number)], np.int64)
    return set(frontier.targets(inside).tolist())
