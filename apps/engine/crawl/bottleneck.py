"""The resource that limits a crawl's speed, by how its loop spends its time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from enum import StrEnum

from apps.engine.codes import Bottleneck
from apps.engine.events import LoopLoad
from apps.engine.frontier.hosts import Hosts
from apps.engine.networking.politeness import Politeness

WINDOW_SECONDS = 10.0
LOOK_SECONDS = 2.0
BUSY = 0.9
"""A process that is busy for this share of its time has no more to give."""
MOST_HOSTS = 10_000
"""So many entries of the heap of resting hosts are counted."""


class Hindrance(StrEnum):
    """Why the loop waits instead of starting another request."""

    ENDING = "ending"
    BUDGET = "budget"
    AT_ONCE = "at_once"
    PACE = "pace"
    HOSTS = "hosts"
    FRONTIER = "frontier"


_COMMITTED = "committed"


class LoopTime:
    """Counts the seconds of one loop: those it waited, by hindrance, and those of its commits; in
    the rest it worked. `clock` returns monotonic seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._spent: dict[str, float] = {}
        self._looks: deque[tuple[float, dict[str, float]]] = deque([(clock(), {})])

    def waited(self, hindrance: Hindrance, seconds: float) -> None:
        """Counts a wait."""
        self._spent[hindrance] = self._spent.get(hindrance, 0.0) + seconds

    def committed(self, seconds: float) -> None:
        """Counts a commit, during which no request starts."""
        self._spent[_COMMITTED] = self._spent.get(_COMMITTED, 0.0) + seconds

    def load(
        self, hosts: Hosts, politeness: Politeness, *, under_way: int, allowed: int, robots: int
    ) -> LoopLoad | None:
        """The load over the last ten seconds, at most every two; else None."""
        now = self._clock()
        if now < self._looks[-1][0] + LOOK_SECONDS:
            return None
        self._looks.append((now, self._spent.copy()))
        while now - self._looks[0][0] > WINDOW_SECONDS and len(self._looks) > 2:
            self._looks.popleft()
        then, before = self._looks[0]
        seconds = now - then
        shares = {
            key: (spent - before.get(key, 0.0)) / seconds for key, spent in self._spent.items()
        }
        committed = shares.pop(_COMMITTED, 0.0)
        resting, least, most = _delays(hosts, politeness)
        return LoopLoad(
            seconds=seconds,
            worked=max(0.0, 1.0 - committed - sum(shares.values())),
            committed=committed,
            waited=shares,
            under_way=under_way,
            allowed=allowed,
            robots=robots,
            resting=resting,
            least_delay=least,
            most_delay=most,
        )


def _delays(hosts: Hosts, politeness: Politeness) -> tuple[int, float, float]:
    """How many hosts with links rest, and the least and the longest delay of theirs."""
    delays = [max(politeness.delay, host.delay) for host in hosts.resting(MOST_HOSTS)]
    return len(delays), min(delays, default=0.0), max(delays, default=0.0)


def bottleneck(load: LoopLoad, agents_busy: float | None) -> Bottleneck:
    """The bottleneck of a crawl with this load; `agents_busy` is the share of time that its agents
    work, None without agents.

    A loop that hardly waits is the bottleneck itself; else it is what the loop waits for longest.
    """
    if load.worked + load.committed >= BUSY:
        slow_rows = load.committed > load.worked
        return Bottleneck.COMMITS if slow_rows else Bottleneck.COORDINATOR
    longest = max(load.waited, key=lambda hindrance: load.waited[hindrance])
    match longest:
        case Hindrance.BUDGET | Hindrance.PACE:
            return Bottleneck(str(longest))
        case Hindrance.FRONTIER:
            return Bottleneck.ROBOTS if _waits_for_robots(load) else Bottleneck.FRONTIER
        case Hindrance.HOSTS:
            return _of_hosts(load, agents_busy)
        case Hindrance.AT_ONCE:
            return _of_requests(load, agents_busy, Bottleneck.AT_ONCE)
    return Bottleneck.UNKNOWN


def _of_hosts(load: LoopLoad, agents_busy: float | None) -> Bottleneck:
    """No host with links is free: most of them rest, or most have a request under way."""
    if load.resting and load.resting >= load.under_way:
        return Bottleneck.POLITENESS
    return _of_requests(load, agents_busy, Bottleneck.ANSWERS)


def _of_requests(load: LoopLoad, agents_busy: float | None, otherwise: Bottleneck) -> Bottleneck:
    """Requests are under way, and another may only follow one of them."""
    if not load.under_way:
        return Bottleneck.UNKNOWN
    if _waits_for_robots(load):
        return Bottleneck.ROBOTS
    return Bottleneck.AGENTS if (agents_busy or 0.0) >= BUSY else otherwise


def _waits_for_robots(load: LoopLoad) -> bool:
    """Whether most of the requests under way wait for the robots.txt of their hosts."""
    return 2 * load.robots > load.under_way
