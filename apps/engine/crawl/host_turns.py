"""Turns at the hosts: no hop of any fetch asks a host too early, or while it is being asked.

The frontier gives a host's turn to the URL that it picks. Redirects, meta refreshes and probes
lead to hosts that it did not pick, so they take turns here; so does what was picked, for somebody
may have come between.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from apps.engine.frontier.hosts import Hosts
from apps.engine.networking.politeness import Politeness

# Nobody waits longer than this for a host that is left alone.
LONGEST_TURN = 300.0


class HostTurns:
    """The hosts being asked. `clock` returns seconds that never run backwards.

    The hosts of a recorded web keep nobody waiting.
    """

    def __init__(self, hosts: Hosts, politeness: Politeness, clock: Callable[[], float]) -> None:
        self._hosts = hosts
        self._politeness = politeness
        self._clock = clock
        self._asked: set[str] = set()

    async def take(self, name: str) -> bool:
        """Waits for the host's turn and takes it; False where it would take too long."""
        if not self._hosts.one_at_a_time:
            return True
        host, has_come = self._hosts.named(name), False
        while name in self._asked or not (has_come or host.next_at <= self._clock()):
            turn = max(host.next_at, self._clock())
            if turn - self._clock() > LONGEST_TURN:
                return False
            host.next_at = turn + self._pause(name)
            await asyncio.sleep(turn - self._clock())
            has_come = True
        self._asked.add(name)
        return True

    def end(self, name: str) -> None:
        """The host has answered, or is not asked after all; it rests for its delay from now on."""
        if self._hosts.one_at_a_time:
            self._asked.discard(name)
            host = self._hosts.named(name)
            host.next_at = max(host.next_at, self._clock() + self._pause(name))

    def _pause(self, name: str) -> float:
        return max(self._politeness.delay, self._hosts.named(name).delay)
