"""Several machines, killed, cut off and suspended: nothing lost, nothing twice, nobody too soon.

The judges are the web's access log and the rows. The seed of the accidents is printed
(CRAWLSITE_KILL_SEED repeats them).
"""

from __future__ import annotations

import json
import random
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from tests.crawls.kill_site import BOOKS, quick_or_long, seed_of_the_day
from tests.machines.lab import Lab, lab_of
from tests.running_site import wait_for

pytestmark = [pytest.mark.tree, pytest.mark.kills, pytest.mark.soak]

DELAY = 1.0
SIZES = quick_or_long(
    {"agents": 2, "crawls": 2, "pages": 60, "hosts": 6, "accidents": 5},
    {"agents": 4, "crawls": 10, "pages": 240, "hosts": 12, "accidents": 40},
)
KINDS = 9


def accidents(lab: Lab, draw: random.Random) -> Sequence[Callable[[], None]]:
    """One of each kind, on machines drawn at random; each is over when it returns."""
    agent, coordinator = draw.choice(lab.agents), draw.choice(lab.coordinators)
    pause = draw.uniform(1.0, 12.0)

    def during(begin: Callable[[], None], end: Callable[[], None]) -> Callable[[], None]:
        def accident() -> None:
            begin()
            time.sleep(pause)
            end()

        return accident

    return (
        during(agent.kill, lambda: lab.start_agent(agent)),
        during(lambda: agent.cut(True), lambda: agent.cut(False)),
        during(lambda: agent.signal(signal.SIGSTOP), lambda: agent.signal(signal.SIGCONT)),
        during(coordinator.kill, lambda: lab.start_coordinator(coordinator)),
        during(
            lambda: lab.redis_relay.signal(signal.SIGSTOP),
            lambda: lab.redis_relay.signal(signal.SIGCONT),
        ),
        lab.redis_relay.cut,
        lab.postgres.cut,
        during(lab.redis.kill, lab.redis.start),
        during(lambda: lab.ask("drain", coordinator), lambda: lab.ask("resume", coordinator)),
    )


def test_machines_may_fail_at_any_time(tmp_path: Path) -> None:
    draw = random.Random(seed_of_the_day())
    budget = SIZES["pages"] // 2
    with lab_of(tmp_path, SIZES) as lab:
        lab.start()
        crawls = [lab.begin(n, budget, DELAY, concurrent=12) for n in range(SIZES["crawls"])]
        wait_for(
            lambda: lab.log.exists() and len(lab.requests()) > 5 * len(crawls), 120, lab.log_text
        )
        kinds: list[int] = []
        happened = 0
        for _ in range(SIZES["accidents"]):
            if all(lab.has_ended(crawl) for crawl in crawls):
                break
            kinds = kinds or draw.sample(range(KINDS), KINDS)
            accidents(lab, draw)[kinds.pop()]()
            happened += 1
        print(f"{happened} accidents")
        wait_for(lambda: all(lab.has_ended(crawl) for crawl in crawls), 600, lab.log_text)
        for n, crawl in enumerate(crawls):
            check_rows(lab, n, crawl, budget)
        check_log(lab, crawls)


def check_rows(lab: Lab, n: int, crawl: int, budget: int) -> None:
    """The budget is kept exactly, and whatever was discovered is counted once."""
    books = json.loads(lab.shell.run(BOOKS.format(crawl=crawl)).splitlines()[-1])
    totals, entries = books["summary"], Counter(books["entries"])
    assert (totals["state"], totals["pages"]) == ("finished", budget), totals
    assert [seq for seq, _, _ in books["pages"]] == list(range(1, budget + 1))
    assert len({url for _, url, _ in books["pages"]}) == budget
    excluded = sum(totals["excluded"].values())
    assert totals["discovered"] == (
        totals["pages"] + totals["failed"] + excluded + totals["waiting"]
    )
    assert (entries["f"], entries["w"]) == (totals["pages"], totals["waiting"])
    failed = set(lab.shell.run(FAILED.format(crawl=crawl)).split())
    there = {url for url in lab.webs[n].urls() if not url.endswith("/p/13.html")}  # robots.txt
    assert not failed & there, totals["errors"]


FAILED = """
from apps.crawls.models import Crawl
for url in Crawl.objects.get(pk={crawl}).frontier.filter(state="e").values_list("url", flat=True):
    print(url)
"""
COMMITTED = """
import json
from apps.crawls.models import Crawl
crawl = Crawl.objects.get(pk={crawl})
print(json.dumps([[p.url, p.fetched_at.timestamp()] for p in crawl.pages_fetched.all()]))
"""


def check_log(lab: Lab, crawls: Sequence[int]) -> None:
    """No host is asked again before its delay, and no page after its answer was committed."""
    by_host: dict[str, list[float]] = defaultdict(list)
    last_asked: dict[str, float] = {}
    for at, url in lab.requests():
        if not url.endswith("/robots.txt"):
            by_host[url.split("/")[2]].append(at)
            last_asked[url] = at
    gaps = [b - a for times in by_host.values() for a, b in pairwise(times)]
    print(f"{len(gaps)} pauses, the least {min(gaps):.3f} s")
    assert min(gaps) >= DELAY - 0.05
    for crawl in crawls:
        # The last request for a committed page is the one whose answer was committed.
        for url, fetched in json.loads(lab.shell.run(COMMITTED.format(crawl=crawl))):
            assert last_asked[url] - fetched < 30.0, url
