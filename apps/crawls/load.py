"""How hard a crawl works and what limits it, as its commits store it every two seconds."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

STEP_SECONDS = 10
STEPS = 60


@dataclass(frozen=True, slots=True)
class CrawlLoad:
    """The form of `Crawl.load`, which is empty before the first look.

    `bottleneck` is a code of the engine; `under_way` to `most_delay` are those of `LoopLoad`.
    `coordinator` is the share of a core that the crawl's own process uses, `cpu_ms` its CPU
    milliseconds a page, `agents_busy` the share of their time for which its agents are busy; None
    if unknown. `steps` are the pages fetched in steps of ten seconds, up to step number `step`,
    counted from 1970. `at` is in Unix seconds.
    """

    at: float = 0.0
    bottleneck: str = "unknown"
    under_way: int = 0
    allowed: int = 0
    robots: int = 0
    resting: int = 0
    least_delay: float = 0.0
    most_delay: float = 0.0
    coordinator: float | None = None
    cpu_ms: float | None = None
    agents_busy: float | None = None
    step: int = 0
    steps: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """From the form of `Crawl.load`."""
        return cls(**stored)

    def with_pages(self, pages: int, now: float) -> tuple[int, list[int]]:
        """`step` and `steps` after so many further pages."""
        step = int(now // STEP_SECONDS)
        missed = min(max(0, step - self.step), STEPS)
        steps = [*self.steps, *[0] * missed][-STEPS:]
        steps[-1] += pages
        return max(step, self.step), steps

    def rates(self, now: float | None = None) -> list[float]:
        """Pages a second in each of the last ten minutes' steps that have ended, oldest first."""
        last = int((time.time() if now is None else now) // STEP_SECONDS) - 1
        return [self._pages(step) / STEP_SECONDS for step in range(last - STEPS + 2, last + 1)]

    def _pages(self, step: int) -> int:
        index = len(self.steps) - 1 - (self.step - step)
        return self.steps[index] if 0 <= index < len(self.steps) else 0
