"""Four agents fetch four times as much as one, where only the Web is slow: by the crawl's rows."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.machines.lab import RUNNING, Lab, lab_of
from tests.running_site import wait_for

pytestmark = [
    pytest.mark.tree,
    pytest.mark.kills,
    pytest.mark.soak,
    pytest.mark.skipif(not os.environ.get("CRAWLSITE_SOAK"), reason="throughput: make soak"),
]

AGENTS = (1, 2, 4)
LATENCY, ROOM, SECONDS = 0.5, 8, 40
LINEAR = 0.85
SIZES = {"agents": 4, "crawls": len(AGENTS), "pages": 6_000, "hosts": 150}
SETTINGS = {"CRAWLSITE_AGENTS": "0", "CRAWLSITE_AGENT_REQUESTS": str(ROOM)}
SERVING = """
from apps.machines import registry
names = [agent.name for agent in registry.agents() if agent.state != "silent"]
if {drained}:
    registry.drain(*names[:{drained}])
registry.resume(*names[{drained}:])
"""
TIMES = """
import json
from apps.crawls.models import Crawl
crawl = Crawl.objects.get(pk={crawl})
times = sorted(page.fetched_at.timestamp() for page in crawl.pages_fetched.all())
print(json.dumps([times, 1e3 * crawl.cpu_seconds / crawl.pages, crawl.seconds,
                  crawl.reason, crawl.pages, crawl.errors, crawl.waiting]))
"""


def test_pages_a_second_grow_with_the_agents(tmp_path: Path) -> None:
    with lab_of(tmp_path, SIZES, SETTINGS) as lab:
        lab.start(LATENCY)
        rates = [rate(lab, n, agents) for n, agents in enumerate(AGENTS)]
    for agents, pages_a_second in zip(AGENTS, rates, strict=True):
        shares = f"{pages_a_second / (agents * rates[0]):.2f} of linear"
        print(f"{agents} agents: {pages_a_second:.1f} pages/s, {shares}")
        assert pages_a_second >= LINEAR * agents * rates[0]


def rate(lab: Lab, n: int, agents: int) -> float:
    """Pages a second of a crawl that has exactly as many requests under way as its agents take; of
    its middle, when every robots.txt is known and all agents are still busy."""
    lab.shell.run(SERVING.format(drained=SIZES["agents"] - agents))
    wait_for(lambda: int(lab.shell.run(RUNNING)) == agents, 30, lab.log_text)
    budget = int(agents * ROOM / LATENCY * SECONDS)
    crawl = lab.begin(n, budget, delay=0.0, concurrent=agents * ROOM)
    wait_for(lambda: lab.has_ended(crawl), 300, lab.log_text)
    log_text = lab.shell.run(TIMES.format(crawl=crawl)).splitlines()[-1]
    times, cpu, seconds, *ended = json.loads(log_text)
    assert len(times) == budget, ended
    first, last = budget // 2, budget * 95 // 100
    print(f"{agents} agents: {cpu:.1f} ms of CPU a page, {budget} pages in {seconds:.0f} s")
    return (last - first) / (times[last] - times[first])
