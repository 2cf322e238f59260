"""How many requests the coordinator sends itself, so that no core waits for another."""

from __future__ import annotations

import time
from collections.abc import Callable

EVERY = 0.2
"""Seconds between two measurements."""
STEP = 0.02
"""How much of all requests one measurement adds or takes away."""
BUSY = 0.8
"""An agent that computes for less of its time could do more."""
LESS_BUSY = 0.1
"""The share rises while the coordinator computes for so much less of its time, and..."""
AS_BUSY = 0.05
"""...falls once the difference is no more than this; between the two it stays."""


class Balance:
    """The share of requests that the coordinator keeps while its agents are the busier ones.

    The share rises while the agents spend nearly all their time computing and the coordinator less,
    and falls as the difference closes. So one agent, which has more to do for a page than its
    coordinator, does not hold it up; several leave it nothing to send. `clock` returns seconds,
    `own_cpu` the CPU seconds of this process.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        own_cpu: Callable[[], float] = time.process_time,
    ) -> None:
        self.share = 0.0
        self._clock = clock
        self._own_cpu = own_cpu
        self._measured = (clock(), own_cpu(), 0.0)
        self._due = 0.0

    def keeps_next(self, agents: int, cpu_seconds: float) -> bool:
        """Whether the coordinator sends the next request itself, with so many agents that have used
        so much CPU together."""
        if self._clock() >= self._measured[0] + EVERY:
            self._adjust(agents, cpu_seconds)
        self._due += self.share
        if self._due < 1.0:
            return False
        self._due -= 1.0
        return True

    def _adjust(self, agents: int, cpu_seconds: float) -> None:
        then, own_then, theirs_then = self._measured
        self._measured = now, own_now, _ = self._clock(), self._own_cpu(), cpu_seconds
        theirs = (cpu_seconds - theirs_then) / agents / (now - then)
        lead = theirs - (own_now - own_then) / (now - then)
        if theirs >= BUSY and lead >= LESS_BUSY:
            self.share = min(1.0, self.share + STEP)
        elif lead <= AS_BUSY or theirs < BUSY:
            self.share = max(0.0, self.share - STEP)
