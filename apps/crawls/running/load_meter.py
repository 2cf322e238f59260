"""Measures how hard one process works for its crawl, over the last ten seconds."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import asdict
from typing import Any, NamedTuple

from apps.crawls.load import CrawlLoad
from apps.crawls.models import Crawl
from apps.engine.crawl.bottleneck import WINDOW_SECONDS, bottleneck
from apps.engine.events import LoopLoad
from apps.engine.model import Serving


class _Look(NamedTuple):
    """A reading of the counters: wall-clock seconds, pages, and CPU seconds of the crawl's process
    and of its agents on this machine."""

    at: float
    pages: int
    own_cpu: float
    agents_cpu: float


class LoadMeter:
    """The load of a crawl while this process runs it."""

    def __init__(self, crawl: Crawl) -> None:
        self._load = CrawlLoad.of(crawl.load)
        self._looks = deque([_Look(time.monotonic(), crawl.pages, time.process_time(), 0.0)])

    def row(self, loop: LoopLoad, pages: int, agents: Serving) -> dict[str, Any]:
        """The form of `Crawl.load` now; `pages` is the number fetched so far."""
        looks, now = self._looks, time.time()
        step, steps = self._load.with_pages(pages - looks[-1].pages, now)
        look = _Look(time.monotonic(), pages, time.process_time(), agents.own_cpu)
        looks.append(look)
        while look.at - looks[0].at > WINDOW_SECONDS and len(looks) > 2:
            looks.popleft()
        then = looks[0]
        seconds, cpu = look.at - then.at, look.own_cpu - then.own_cpu
        busy = _busy(agents, (look.agents_cpu - then.agents_cpu) / seconds)
        fetched = look.pages - then.pages
        self._load = CrawlLoad(
            at=round(now, 1),
            bottleneck=str(bottleneck(loop, busy)),
            under_way=loop.under_way,
            allowed=loop.allowed,
            robots=loop.robots,
            resting=loop.resting,
            least_delay=loop.least_delay,
            most_delay=loop.most_delay,
            coordinator=round(min(1.0, cpu / seconds), 3),
            cpu_ms=round(1000 * cpu / fetched, 2) if fetched else None,
            agents_busy=busy,
            step=step,
            steps=steps,
        )
        return asdict(self._load)


def _busy(agents: Serving, own_cores: float) -> float | None:
    """The mean share of their time for which all agents are busy; None without any."""
    number = agents.own + agents.lent
    if not number:
        return None
    busy = min(own_cores, float(agents.own)) + agents.lent * agents.lent_busy
    return round(busy / number, 3)
