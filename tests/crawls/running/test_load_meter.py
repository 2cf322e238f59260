"""What a commit stores of a crawl's load."""

from __future__ import annotations

import pytest

from apps.crawls.load import CrawlLoad
from apps.crawls.models import Crawl
from apps.crawls.running import load_meter
from apps.crawls.running.load_meter import LoadMeter
from apps.engine.events import LoopLoad
from apps.engine.model import Serving

LOOP = LoopLoad(
    seconds=10.0,
    worked=0.2,
    committed=0.1,
    waited={"at_once": 0.7},
    under_way=32,
    allowed=32,
    robots=0,
    resting=4,
    least_delay=2.0,
    most_delay=2.0,
)


class Clock:
    """Monotonic, CPU and Unix seconds, as they are set."""

    def __init__(self) -> None:
        self.at, self.cpu = 50.0, 3.0

    def monotonic(self) -> float:
        return self.at

    def process_time(self) -> float:
        return self.cpu

    def time(self) -> float:
        return 1_000_000 + self.at


def test_it_measures_the_coordinator_and_its_agents_over_ten_seconds(monkeypatch) -> None:
    clock = Clock()
    monkeypatch.setattr(load_meter, "time", clock)
    meter = LoadMeter(Crawl(pages=100))

    def look(pages: int, agents: Serving) -> CrawlLoad:
        clock.at, clock.cpu = clock.at + 4.0, clock.cpu + 1.0
        return CrawlLoad.of(meter.row(LOOP, pages, agents))

    alone = look(300, Serving())
    assert (alone.coordinator, alone.cpu_ms, alone.agents_busy) == (0.25, 5.0, None)
    assert (alone.bottleneck, alone.allowed, alone.steps[-1]) == ("at_once", 32, 200)
    helped = look(300, Serving(own=1, lent=3, own_cpu=4.0, lent_busy=0.9))
    assert helped.agents_busy == pytest.approx((0.5 + 3 * 0.9) / 4, abs=0.001)
    for _ in range(3):
        helped = look(300, Serving(own=1, own_cpu=4.0 + clock.at - 58.0 + 4.0))
    assert (helped.agents_busy, helped.bottleneck) == (1.0, "agents")
    assert helped.cpu_ms is None
    assert (helped.step, helped.steps[-3:]) == (100_007, [200, 0, 0])
