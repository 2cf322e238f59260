"""Groups of hosts of which only a few are asked at once: of a registered domain, or an address.

A host counts from the start of its request until its pause is over, so a group of many hosts gets
no more requests than a few hosts do. Hosts that would be one too many are parked and listed again,
the best link first, once there is room.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heappop, heappush

Parked = tuple[float, int, int]  # the key of a host's best link, and the host's index


@dataclass(slots=True, eq=False)
class HostGroup:
    """A group of which `limit` hosts may be asked at once. `busy` are asked now, `rests` the ends
    of the pauses after other requests; `wake_at` is when room is looked for next."""

    limit: int
    busy: int = 0
    rests: list[float] = field(default_factory=list)
    parked: list[Parked] = field(default_factory=list)
    wake_at: float | None = None

    def room(self, now: float) -> int:
        """How many more hosts may be asked now."""
        while self.rests and self.rests[0] <= now:
            heappop(self.rests)
        return self.limit - self.busy - len(self.rests)

    def park(self, host: Parked) -> None:
        """Keeps a host until there is room."""
        heappush(self.parked, host)

    def unpark(self) -> int | None:
        """The index of the parked host with the best link, or None."""
        return heappop(self.parked)[2] if self.parked else None

    def release(self, rests_until: float, now: float) -> None:
        """Ends a request to one of the hosts, which rests until `rests_until`."""
        self.busy -= 1
        if rests_until > now:
            heappush(self.rests, rests_until)
