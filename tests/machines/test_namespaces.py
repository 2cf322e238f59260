"""Several machines, killed, cut off and suspended: nothing lost, nothing twice, nobody too soon.

The judges are the web's access log and the rows. The seed of the accidents is printed
(CRAWLSITE_KILL_SEED repeats them).
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.crawls.kill_site import (
    BOOKS,
    QUICK,
    STATE,
    Shell,
    made_files,
    quick_or_long,
    seed_of_the_day,
)  # fmt: skip
from tests.machines.namespaces import (
    HERE,
    Machine,
    Machines,
    Relay,
    WebOfACrawl,
    relay,
    why_not,
)  # fmt: skip
from tests.own_redis import OwnRedis, own_redis
from tests.running_site import wait_for
from tests.stores import own_stores

pytestmark = [pytest.mark.tree, pytest.mark.kills, pytest.mark.soak]

DELAY = 1.0
SIZES = quick_or_long(
    {"agents": 2, "crawls": 2, "pages": 60, "hosts": 6, "accidents": 5},
    {"agents": 4, "crawls": 10, "pages": 240, "hosts": 12, "accidents": 40},
)
IMPORT = """
from django.core.management import call_command
call_command("import_web", "made{n}", {web!r})
call_command("import_topic", {topic!r}, "--web", "made{n}")
"""
START = """
from apps.crawls import services
from apps.crawls.commands.start import start
from apps.topics.models import Topic
from apps.webs.selectors import live_web
topic = Topic.objects.get(name="bread{n}")
crawl = services.create_crawl(
    topic.owner, topic, live_web(), strategy="breadth_first", budget={budget}, random_seed=1,
    politeness={{"delay": {delay}, "concurrent": 12}},
)
start(crawl)
print(crawl.pk)
"""
AGENTS = """
from apps.machines.registry import agents
print(sum(agent.state == "running" for agent in agents()))
"""


KINDS = 9
WORKERS = """
from apps.machines import workers
from apps.machines.models import Workers
workers.{verb}(*Workers.objects.filter(machine={machine!r}).values_list("place", flat=True))
"""


class Lab:
    """The machines of one site, by their parts in it."""

    def __init__(self, stack: ExitStack, folder: Path, agents: int, crawls: int) -> None:
        if not os.environ.get("DATABASE_URL"):
            pytest.skip("machines share PostgreSQL and Redis")
        if reason := why_not():
            pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
        self.folder = folder
        self.log = folder / "access.log"
        self.webs = [WebOfACrawl(n, SIZES["pages"], SIZES["hosts"]) for n in range(crawls)]
        self.redis: OwnRedis = stack.enter_context(own_redis(folder))
        stores = stack.enter_context(own_stores())
        there = urlsplit(stores["DATABASE_URL"])
        self.machines = stack.enter_context(
            Machines(folder, sorted(host for web in self.webs for host in web.hosts)))
        self.postgres: Relay = stack.enter_context(relay(there.port or 5432))
        self.redis_relay: Relay = stack.enter_context(relay(self.redis.port))
        who = there.netloc.rpartition("@")[0]
        shared = {
            "CRAWLSITE_REDIS_PREFIX": stores["CRAWLSITE_REDIS_PREFIX"],
            "CRAWLSITE_ALLOWED_ADDRESSES": "10.77.0.0/16",
        }
        self.environment = {
            **QUICK, **shared, "CRAWLSITE_CRAWLS_AT_ONCE": str(-(-crawls // 2)),
            "DATABASE_URL": there._replace(netloc=f"{who}@{HERE}:{self.postgres.port}").geturl(),
            "REDIS_URL": f"redis://{HERE}:{self.redis_relay.port}/0",
        }
        self.shell = Shell({
            **os.environ, **self.environment, "DATABASE_URL": stores["DATABASE_URL"],
            "REDIS_URL": self.redis.url, "CRAWLSITE_DATA": str(folder / "data"),
            "DJANGO_SETTINGS_MODULE": "crawlsite.settings",
        })  # fmt: skip
        stack.callback(self.shell.close)
        self.web = self.machines.machine(2)
        self.coordinators = [self.machines.machine(number) for number in (3, 4)]
        self.agents = [self.machines.machine(number) for number in range(5, 5 + agents)]

    def start(self, latency: float = 0.1) -> None:
        """Returns when every agent serves and every topic is there."""
        self.web.run(
            sys.executable, "-m", "tests.machines.namespaces", str(len(self.webs)),
            str(SIZES["pages"]), str(SIZES["hosts"]), str(self.log), str(latency),
        )
        self.start_coordinator(self.coordinators[0])
        wait_for(lambda: "Sign in as" in self.said(), 90, self.said)
        for machine in self.agents:
            self.start_agent(machine)
        for n, web in enumerate(self.webs):
            folder = self.folder / f"web{n}"
            folder.mkdir()
            files = made_files(folder, web)
            topic = json.loads(Path(files["topic"]).read_text())
            Path(files["topic"]).write_text(json.dumps({**topic, "name": f"bread{n}"}))
            self.shell.run(IMPORT.format(n=n, **files))
        self.start_coordinator(self.coordinators[1])
        wait_for(lambda: int(self.shell.run(AGENTS)) == len(self.agents), 90, self.said)

    def start_coordinator(self, machine: Machine) -> None:
        first = machine is self.coordinators[0]
        line = ("up", "--no-demo") if first else ("up", "--workers")
        machine.start(*line, environment={**self.environment,
                                          "CRAWLSITE_DATA": str(self.folder / "data")})

    def start_agent(self, machine: Machine) -> None:
        own = self.folder / machine.name
        machine.start("up", "--agents", "1",
                      environment={**self.environment, "CRAWLSITE_DATA": str(own)})

    def ask(self, verb: str, machine: Machine) -> None:
        """Drains or resumes the workers of a machine."""
        self.shell.run(WORKERS.format(verb=verb, machine=machine.name))

    def begin(self, n: int, budget: int) -> int:
        return int(self.shell.run(START.format(n=n, budget=budget, delay=DELAY)).split()[-1])

    def has_ended(self, crawl: int) -> bool:
        return self.shell.run(STATE.format(crawl=crawl)).strip() in ("finished", "failed", "paused")

    def said(self) -> str:
        return "\n".join(
            f"--- {machine.name}\n{machine.log.read_text(errors='replace')[-3000:]}"
            for machine in (*self.coordinators, *self.agents) if machine.log.exists()
        )

    def requests(self) -> list[tuple[float, str]]:
        """Every request that the web saw, in the order of arrival."""
        lines = (line.split() for line in self.log.read_text().splitlines())
        return sorted((float(words[0]), words[2]) for words in lines if len(words) == 5)


@contextmanager
def lab_of(folder: Path, agents: int, crawls: int) -> Iterator[Lab]:
    with ExitStack() as stack:
        yield Lab(stack, folder, agents, crawls)


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
        during(lambda: lab.redis_relay.signal(signal.SIGSTOP),
               lambda: lab.redis_relay.signal(signal.SIGCONT)),
        lab.redis_relay.cut,
        lab.postgres.cut,
        during(lab.redis.kill, lab.redis.start),
        during(lambda: lab.ask("drain", coordinator), lambda: lab.ask("resume", coordinator)),
    )


def test_machines_may_fail_at_any_time(tmp_path: Path) -> None:
    draw = random.Random(seed_of_the_day())
    budget = SIZES["pages"] // 2
    with lab_of(tmp_path, SIZES["agents"], SIZES["crawls"]) as lab:
        lab.start()
        crawls = [lab.begin(n, budget) for n in range(SIZES["crawls"])]
        wait_for(lambda: lab.log.exists() and len(lab.requests()) > 5 * len(crawls), 120, lab.said)
        kinds: list[int] = []
        for _ in range(SIZES["accidents"]):
            if all(lab.has_ended(crawl) for crawl in crawls):
                break
            kinds = kinds or draw.sample(range(KINDS), KINDS)
            accidents(lab, draw)[kinds.pop()]()
        wait_for(lambda: all(lab.has_ended(crawl) for crawl in crawls), 600, lab.said)
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
        totals["pages"] + totals["failed"] + excluded + totals["waiting"])
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
