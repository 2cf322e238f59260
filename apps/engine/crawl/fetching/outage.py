"""Distinguishes dead hosts from a network outage, so that no URL fails because of an outage."""

from __future__ import annotations

from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.frontier.queue import Frontier
from apps.engine.urls import origin

UNREACHED = frozenset({Failure.DNS, Failure.CONNECT, Failure.TIMEOUT})
MOST_HELD = 12
MOST_WITNESSES = 3
LOOKED_BACK = 1000

Settled = list[tuple[int, Answer]]


class Outage:
    """Holds failed connections back until an answer from any host shows that the network is up.

    Each host has one request in flight at most, so each held answer is from another host.
    """

    def __init__(self, frontier: Frontier) -> None:
        self._frontier = frontier
        self._held: Settled = []

    def __len__(self) -> int:
        return len(self._held)

    def settle(self, number: int, answer: Answer) -> Settled:
        """The answers that may be applied now, in order of arrival."""
        if answer.failure in UNREACHED:
            self._held.append((number, answer))
            return []
        return [*self.release(), (number, answer)]

    def is_suspected(self, nothing_else: bool) -> bool:
        """Whether the network may be down: twelve hosts have failed in a row, or one that gave
        pages before has failed and nothing else is in flight."""
        if len(self._held) >= MOST_HELD:
            return True
        hosts = (self._frontier.host_of(number) for number, _ in self._held)
        return nothing_else and any(host.pages for host in hosts)

    def witnesses(self) -> list[str]:
        """URLs to probe, on the hosts of the newest pages: if one answers, the network is up."""
        probes: dict[str, str] = {}
        for number in reversed(self._frontier.fetched_numbers()[-LOOKED_BACK:].tolist()):
            host = self._frontier.host_of(number)
            if not host.excluded and not host.blocked and len(probes) < MOST_WITNESSES:
                probes.setdefault(host.name, f"{origin(self._frontier.urls[number])}/robots.txt")
        return list(probes.values())

    def release(self) -> Settled:
        """Returns the held answers and forgets them."""
        held, self._held = self._held, []
        return held
