"""What limits a crawl follows from where its time goes: a table, and crawls in virtual time."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from apps.engine.answers import Answer
from apps.engine.codes import Bottleneck
from apps.engine.crawl.bottleneck import bottleneck
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.events import LoopLoad
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.robots.files import Robots
from apps.engine.networking.webs.virtual_web import RecordedFetcher
from apps.engine.topics import Topic
from tests.engine.crawl.virtual_time import run

IDLE = LoopLoad(
    seconds=10.0,
    worked=0.3,
    committed=0.1,
    waited={},
    under_way=8,
    allowed=32,
    robots=0,
    resting=0,
    least_delay=0.0,
    most_delay=0.0,
)
HOSTS, AT_ONCE = {"hosts": 0.5, "at_once": 0.1}, {"hosts": 0.1, "at_once": 0.5}


@pytest.mark.parametrize(
    ("changes", "agents_busy", "limit"),
    [
        (
            {"worked": 0.7, "committed": 0.25, "waited": {"hosts": 0.05}},
            1.0,
            Bottleneck.COORDINATOR,
        ),
        ({"worked": 0.3, "committed": 0.65, "waited": {"hosts": 0.05}}, None, Bottleneck.COMMITS),
        ({"waited": HOSTS, "resting": 8}, 1.0, Bottleneck.POLITENESS),
        ({"waited": HOSTS, "resting": 7}, 0.5, Bottleneck.ANSWERS),
        ({"waited": HOSTS, "resting": 7}, 0.9, Bottleneck.AGENTS),
        ({"waited": HOSTS, "resting": 7, "robots": 5}, 0.9, Bottleneck.ROBOTS),
        ({"waited": HOSTS, "resting": 9, "robots": 8}, 0.9, Bottleneck.POLITENESS),
        ({"waited": HOSTS, "under_way": 0}, None, Bottleneck.UNKNOWN),
        ({"waited": AT_ONCE, "resting": 99}, None, Bottleneck.AT_ONCE),
        ({"waited": AT_ONCE, "resting": 99}, 0.95, Bottleneck.AGENTS),
        ({"waited": AT_ONCE, "robots": 5}, 0.95, Bottleneck.ROBOTS),
        ({"waited": {"pace": 0.4, "hosts": 0.2}}, 1.0, Bottleneck.PACE),
        ({"waited": {"budget": 0.6}}, 1.0, Bottleneck.BUDGET),
        ({"waited": {"frontier": 0.6}}, 1.0, Bottleneck.FRONTIER),
        ({"waited": {"frontier": 0.6}, "robots": 5}, 1.0, Bottleneck.ROBOTS),
        ({"waited": {"ending": 0.6}}, 1.0, Bottleneck.UNKNOWN),
    ],
)
def test_what_limits_a_crawl(changes, agents_busy, limit) -> None:
    assert bottleneck(replace(IDLE, **changes), agents_busy) is limit


class SlowWeb:
    """Twelve pages on each of six hosts; robots.txt and pages are answered after so many virtual
    seconds."""

    hosts = frozenset(f"h{n}.test" for n in range(6))

    def __init__(self, seconds: float, robots: float) -> None:
        self.seconds = {"robots.txt": robots}
        self.usual = seconds

    def urls(self):
        return iter(())

    def labels(self, url: str) -> tuple[str, ...]:
        return ()

    def get(self, url: str) -> Answer:
        if url.endswith("robots.txt"):
            return Answer(url, url, status=404, failure="http_404")
        links = "".join(f"<a href='/{n}'>link</a> " for n in range(12))
        return Answer(url, url, 200, (("Content-Type", "text/html"),), f"<p>words {links}".encode())


class SlowFetcher(RecordedFetcher):
    """Fetches from a slow web, in virtual time."""

    async def fetch(self, url, gate=None, *, any_type=False, spelling=""):
        async def slow_gate(hop):
            refusal = await gate(hop)
            await asyncio.sleep(self._web.usual)
            return refusal

        if url.endswith("/robots.txt"):
            await asyncio.sleep(self._web.seconds["robots.txt"])
            return await super().fetch(url, gate, any_type=any_type)
        return await super().fetch(url, gate and slow_gate, any_type=any_type)


def limits_of(
    politeness: Politeness, seconds: float = 0.0, robots: float = 0.0, commit: float = 0.0
) -> list[tuple[Bottleneck, LoopLoad]]:
    """What limited a crawl of the slow web, every two seconds."""
    limits = []

    async def crawl() -> None:
        seeds = tuple(f"http://{host}/" for host in sorted(SlowWeb.hosts))
        made = CrawlLoop(
            Plan(60, 600, politeness=politeness),
            TopicModel(Topic("made", seeds=seeds)),
            strategy("breadth_first")(),
            SlowFetcher(SlowWeb(seconds, robots)),
            robots=Robots("test/1.0"),
            clock=asyncio.get_running_loop().time,
        )
        made.start()
        async for batch in made.run():
            await asyncio.sleep(commit)
            if batch.load is not None and batch.finished is None:
                limits.append((bottleneck(batch.load, None), batch.load))

    run(crawl())
    return limits


@pytest.mark.parametrize(
    ("politeness", "web", "expected"),
    [
        (Politeness(delay=2.0), {"seconds": 0.1}, Bottleneck.POLITENESS),
        (Politeness(delay=0.1), {"seconds": 2.0}, Bottleneck.ANSWERS),
        (Politeness(delay=0.1, concurrent=3), {"seconds": 2.0}, Bottleneck.AT_ONCE),
        (Politeness(delay=0.0), {"robots": 20.0}, Bottleneck.ROBOTS),
        (Politeness(delay=0.0, pages_per_second=3), {}, Bottleneck.PACE),
        (Politeness(delay=0.0), {"commit": 3.0}, Bottleneck.COMMITS),
    ],
)
def test_a_crawl_names_what_it_waits_for(politeness, web, expected) -> None:
    limits = limits_of(politeness, **web)
    # At first six seeds are all that is known.
    limit, load = limits[0] if expected is Bottleneck.ROBOTS else limits[len(limits) // 2]
    assert limit is expected
    assert load.worked + load.committed + sum(load.waited.values()) == pytest.approx(1.0, abs=0.01)
    if expected is Bottleneck.POLITENESS:
        assert (load.resting + load.under_way, load.least_delay, load.most_delay) == (6, 2.0, 2.0)
    if expected is Bottleneck.ROBOTS:
        assert load.robots == 6
