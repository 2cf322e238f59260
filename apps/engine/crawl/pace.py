"""How fast a crawl goes over all hosts together, besides what each host may be asked."""

from __future__ import annotations

from collections.abc import Callable


class Pace:
    """Spaces requests evenly. `rate` is the requests a second allowed, None for no limit.

    A rate that is changed counts from the last request on.
    """

    def __init__(self, rate: float | None, clock: Callable[[], float]) -> None:
        self.rate = rate
        self._clock = clock
        self._last: float | None = None

    def next_time(self) -> float:
        """When the next request may start, by the clock; in the past or now if it may at once."""
        if self.rate is None or self._last is None:
            return self._clock()
        return self._last + 1 / self.rate

    def is_open(self) -> bool:
        """Whether a request may start now."""
        return self.next_time() <= self._clock()

    def start(self) -> None:
        """Counts a request that starts now; one that is a little late does not slow the rest."""
        now, due = self._clock(), self.next_time()
        self._last = due if self.rate is not None and now - due < 1 / self.rate else now
