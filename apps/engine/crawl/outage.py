"""Telling dead hosts from a network that is gone: no URL is given up for a cut."""

from __future__ import annotations

from apps.engine.frontier.queue import Frontier
from apps.engine.model import Answer, Failure
from apps.engine.networking.robots import origin

UNREACHED = frozenset({Failure.DNS, Failure.CONNECT, Failure.TIMEOUT})
MOST_HELD = 12
MOST_WITNESSES = 3
LOOKED_BACK = 1000

Settled = list[tuple[int, Answer]]


class Outage:
    """Holds answers that never came until one from anywhere shows that the network is there.

    A host is asked once at a time, so that what is held comes from as many hosts.
    """

    def __init__(self, frontier: Frontier) -> None:
        self._frontier = frontier
        self._held: Settled = []

    def __len__(self) -> int:
        return len(self._held)

    def settle(self, number: int, answer: Answer) -> Settled:
        """The answers that may be applied now, in the order in which they came."""
        if answer.failure in UNREACHED:
            self._held.append((number, answer))
            return []
        return [*self.release(), (number, answer)]

    def is_suspected(self, nothing_else: bool) -> bool:
        """Whether it may be the network: twelve hosts failed in a row, or, with nothing else under
        way, a host that has given pages before."""
        if len(self._held) >= MOST_HELD:
            return True
        hosts = (self._frontier.host_of(number) for number, _ in self._held)
        return nothing_else and any(host.pages for host in hosts)

    def witnesses(self) -> list[str]:
        """Addresses on the hosts that gave the newest pages: should one answer, nothing is cut."""
        found: dict[str, str] = {}
        for number in reversed(self._frontier.fetched_numbers()[-LOOKED_BACK:].tolist()):
            host = self._frontier.host_of(number)
            if not host.excluded and not host.blocked and len(found) < MOST_WITNESSES:
                found.setdefault(host.name, f"{origin(self._frontier.urls[number])}/robots.txt")
        return list(found.values())

    def release(self) -> Settled:
        """All that is held, which is held no longer."""
        held, self._held = self._held, []
        return held
