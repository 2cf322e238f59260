"""The request rate of a crawl over all hosts together, besides the delay of each host."""

from __future__ import annotations

from collections.abc import Callable


class Pace:
    """Spaces requests evenly. `rate` is the most requests per second, None for no limit.

    A new rate applies from the last request on.
    """

    def __init__(self, rate: float | None, clock: Callable[[], float]) -> None:
        self.rate = rate
        self._clock = clock
        self._last: float | None = None

    def next_time(self) -> float:
        """The time from which the next request may start; it may lie in the past."""
        if self.rate is None or self._last is None:
            return self._clock()
        return self._last + 1 / self.rate

    def is_open(self) -> bool:
        """Whether a request may start now."""
        return self.next_time() <= self._clock()

    def start(self) -> None:
        """Counts a request that starts now. One that starts a little late does not delay the
        next."""
        now, due = self._clock(), self.next_time()
        self._last = due if self.rate is not None and now - due < 1 / self.rate else now
