"""The load of a lent agent, which its heartbeats report."""

from __future__ import annotations

import os
from collections import Counter, deque
from pathlib import Path
from time import monotonic
from typing import Any

from apps.engine.agents.answering import CpuMeter
from apps.engine.agents.broker import STEPS

RATE_BEATS = 5
STEP_SECONDS = 10.0


class AgentLoad:
    """The recent load of an agent."""

    def __init__(self) -> None:
        self.fetched = 0
        self._now: Counter[str] = Counter()
        self._meter = CpuMeter()
        self._meter.read()
        self._last = monotonic()
        self._beats: deque[tuple[float, Counter[str], float]] = deque(maxlen=RATE_BEATS)
        self._steps: deque[float] = deque(maxlen=STEPS)
        self._step = (self._last, 0)

    def count(self, session: str) -> None:
        """Counts an answer for a session."""
        self.fetched += 1
        self._now[session] += 1

    def measured(self) -> dict[str, Any]:
        """The figures of `AgentHeartbeat`, over the last beats."""
        now, then = monotonic(), self._last
        self._last = now
        self._beats.append((now - then, self._now, self._meter.read()))
        self._now = Counter()
        seconds = sum(beat[0] for beat in self._beats) or 1.0
        by_session = sum((beat[1] for beat in self._beats), Counter())
        pages = by_session.total()
        cpu = sum(beat[2] for beat in self._beats)
        if now - self._step[0] >= STEP_SECONDS:
            self._steps.append((self.fetched - self._step[1]) / (now - self._step[0]))
            self._step = (now, self.fetched)
        return {
            "fetched": self.fetched,
            "rate": round(pages / seconds, 2),
            "rates_by": {session: round(n / seconds, 2) for session, n in by_session.items()},
            "busy": round(min(1.0, cpu / seconds), 3),
            "cpu_ms": round(1000 * cpu / pages, 2) if pages else 0.0,
            "memory": _resident_bytes(),
            "rates": [round(rate, 1) for rate in self._steps],
        }


def _resident_bytes() -> int:
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
