"""Turns at the hosts: no request reaches a host before its delay is over, or two at a time.

The frontier gives a host's turn to the URL that it picks. Redirects, meta refreshes and probes
reach hosts that it did not pick, so they take their turns here. Picked URLs do so too, since
another request may have come first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from apps.engine.frontier.hosts import Hosts
from apps.engine.networking.politeness import Politeness

# A request that would wait longer than this for its host fails.
LONGEST_TURN = 300.0


class HostTurns:
    """The hosts with a request in flight. `clock` returns monotonic seconds.

    On a recorded web, turns are granted at once.
    """

    def __init__(self, hosts: Hosts, politeness: Politeness, clock: Callable[[], float]) -> None:
        self._hosts = hosts
        self._politeness = politeness
        self._clock = clock
        self._taken: set[str] = set()

    async def take(self, name: str) -> bool:
        """Waits for the host's turn and takes it. Returns False if the wait would be too long."""
        if not self._hosts.one_at_a_time:
            return True
        host, has_come = self._hosts.get_or_create(name), False
        while name in self._taken or not (has_come or host.next_at <= self._clock()):
            turn = max(host.next_at, self._clock())
            if turn - self._clock() > LONGEST_TURN:
                return False
            host.next_at = turn + self.pause(name)
            await asyncio.sleep(turn - self._clock())
            # A request that ended meanwhile has put the next one off.
            has_come = turn >= host.rests_until
        self._taken.add(name)
        return True

    def end(self, name: str) -> None:
        """Ends the host's turn; its delay starts now."""
        if self._hosts.one_at_a_time:
            self._taken.discard(name)
            host = self._hosts.get_or_create(name)
            host.rests_until = self._clock() + self.pause(name)
            host.next_at = max(host.next_at, host.rests_until)

    def pause(self, name: str) -> float:
        """The seconds between two requests to a host."""
        return max(self._politeness.delay, self._hosts.get_or_create(name).delay)
