"""A crawl's own row as its runner updates it: counts, times, the head of the frontier."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Any

from apps.crawls.heat import Heat
from apps.crawls.models import Crawl
from apps.crawls.running.load_meter import LoadMeter
from apps.engine.events import Batch, QueueHead
from apps.engine.model import Serving

SPEED_SECONDS = 10.0


class ProgressRow:
    """The row of one crawl while one process runs it; times count from its creation.

    `cpu_of_agents` returns the CPU seconds of the agents so far, `agents` those that serve the
    crawl now.
    """

    def __init__(self, crawl: Crawl) -> None:
        self.cpu_of_agents: Callable[[], float] = lambda: 0.0
        self.agents: Callable[[], Serving] = Serving
        self._crawl = crawl
        self._reported = self._times()
        self._load = LoadMeter(crawl)
        self._speeds: deque[tuple[float, int]] = deque()

    def row(self, batch: Batch) -> dict[str, Any]:
        """The fields of the crawl's row after this batch; they are set on the crawl as well."""
        totals, (wall, cpu) = batch.totals, self._reported
        self._reported = self._times()
        values: dict[str, Any] = {
            "pages": totals.pages,
            "requests": totals.requests,
            "discovered": totals.discovered,
            "waiting": totals.waiting,
            "failed": totals.failed,
            "excluded": sum(totals.excluded.values()),
            "errors": totals.errors,
            "excluded_reasons": totals.excluded,
            "metrics": {
                **batch.metrics,
                "pages_per_second": round(self._speed(totals.pages), 3),
            },
            "heat": Heat.of(self._crawl.heat).with_pages(batch.pages),
            "reorder_seconds": totals.reorder_seconds,
            "seconds": self._crawl.seconds + self._reported[0] - wall,
            "cpu_seconds": self._crawl.cpu_seconds + self._reported[1] - cpu,
        }
        agents = self.agents()
        values["agents"], values["lent_agents"] = agents.own, agents.lent
        if batch.load is not None:
            values["load"] = self._load.row(batch.load, totals.pages, agents)
        if batch.head is not None:
            values["queue_head"] = [_link(link) for link in batch.head]
        for name, value in values.items():
            setattr(self._crawl, name, value)
        return values

    def _times(self) -> tuple[float, float]:
        return time.monotonic(), time.process_time() + self.cpu_of_agents()

    def _speed(self, pages: int) -> float:
        """Pages a second over the last ten seconds; `pages` is the number fetched so far."""
        now = time.monotonic()
        self._speeds.append((now, pages))
        while now - self._speeds[0][0] > SPEED_SECONDS and len(self._speeds) > 2:
            self._speeds.popleft()
        then, before = self._speeds[0]
        return (pages - before) / (now - then) if now > then else 0.0


def _link(link: QueueHead) -> dict[str, Any]:
    return {
        "number": link.number,
        "url": link.url,
        "priority": link.priority,
        "parent": link.parent,
        "parents": link.parents,
        "wait": round(link.wait, 2),
        **({"leading_term": link.leading_term} if link.leading_term else {}),
    }
