"""A site on several machines in network namespaces: two coordinators, agents and a web."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

import pytest

from tests.crawls.kill_site import QUICK, STATE, Shell, made_files
from tests.machines.namespaces import (
    HERE,
    WEB,
    Machine,
    Machines,
    Relay,
    WebOfACrawl,
    relay,
    why_not,
)
from tests.own_redis import OwnRedis, own_redis
from tests.running_site import wait_for
from tests.stores import own_stores

IMPORT = """
from django.core.management import call_command
call_command("import_web", "made{n}", {web!r})
call_command("import_topic", {topic!r}, "--web", "made{n}")
"""
START = """
from apps.crawls import services
from apps.crawls.commands.lifecycle.start import start
from apps.topics.models import Topic
from apps.webs.selectors import live_web
topic = Topic.objects.get(name="bread{n}")
crawl = services.create_crawl(
    topic.owner, topic, live_web(), strategy="breadth_first", budget={budget}, random_seed=1,
    politeness={{"delay": {delay}, "concurrent": {concurrent}}},
)
start(crawl)
print(crawl.pk)
"""
RUNNING = """
from apps.machines.registry import agents
print(sum(agent.state == "running" for agent in agents()))
"""
WORKERS = """
from apps.machines import workers
from apps.machines.models import Workers
workers.{verb}(*Workers.objects.filter(machine={machine!r}).values_list("system", flat=True))
"""


class Lab:
    """The machines of one site, by their parts in it, and a web of its own for each crawl.

    `settings` are environment variables of coordinators and agents.
    """

    def __init__(
        self, stack: ExitStack, folder: Path, sizes: Mapping[str, int], settings: Mapping[str, str]
    ) -> None:
        agents, crawls = sizes["agents"], sizes["crawls"]
        if not os.environ.get("DATABASE_URL"):
            pytest.skip("machines share PostgreSQL and Redis")
        if reason := why_not():
            pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
        self.folder = folder
        self._sizes = sizes
        self.log = folder / "access.log"
        self.webs = [WebOfACrawl(n, sizes["pages"], sizes["hosts"]) for n in range(crawls)]
        self.redis: OwnRedis = stack.enter_context(own_redis(folder))
        stores = stack.enter_context(own_stores())
        there = urlsplit(stores["DATABASE_URL"])
        self.machines = stack.enter_context(
            Machines(folder, sorted(host for web in self.webs for host in web.hosts))
        )
        self.postgres: Relay = stack.enter_context(relay(there.port or 5432))
        self.redis_relay: Relay = stack.enter_context(relay(self.redis.port))
        who = there.netloc.rpartition("@")[0]
        shared = {
            "CRAWLSITE_REDIS_PREFIX": stores["CRAWLSITE_REDIS_PREFIX"],
            "CRAWLSITE_ALLOWED_ADDRESSES": "10.77.0.0/16",
        }
        self.environment = {
            **QUICK,
            **shared,
            "CRAWLSITE_CRAWLS_AT_ONCE": str(-(-crawls // 2)),
            **settings,
            "DATABASE_URL": there._replace(netloc=f"{who}@{HERE}:{self.postgres.port}").geturl(),
            "REDIS_URL": f"redis://{HERE}:{self.redis_relay.port}/0",
        }
        self.shell = Shell(
            {
                **os.environ,
                **self.environment,
                "DATABASE_URL": stores["DATABASE_URL"],
                "REDIS_URL": self.redis.url,
                "CRAWLSITE_DATA": str(folder / "data"),
                "DJANGO_SETTINGS_MODULE": "crawlsite.settings",
            }
        )
        stack.callback(self.shell.close)
        self.web = self.machines.machine(2)
        self.coordinators = [self.machines.machine(number) for number in (3, 4)]
        self.agents = [self.machines.machine(number) for number in range(5, 5 + agents)]

    def start(self, latency: float = 0.1) -> None:
        """Returns when every agent serves and every topic is there."""
        self.web.run(
            sys.executable,
            "-m",
            "tests.machines.namespaces",
            WEB,
            str(len(self.webs)),
            str(self._sizes["pages"]),
            str(self._sizes["hosts"]),
            str(self.log),
            str(latency),
        )
        self.start_coordinator(self.coordinators[0])
        wait_for(lambda: "Sign in as" in self.log_text(), 90, self.log_text)
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
        wait_for(lambda: int(self.shell.run(RUNNING)) == len(self.agents), 90, self.log_text)

    def start_coordinator(self, machine: Machine) -> None:
        first = machine is self.coordinators[0]
        line = ("up", "--no-demo") if first else ("up", "--workers")
        machine.start(
            *line, environment={**self.environment, "CRAWLSITE_DATA": str(self.folder / "data")}
        )

    def start_agent(self, machine: Machine) -> None:
        own = self.folder / machine.name
        machine.start(
            "up", "--agents", "1", environment={**self.environment, "CRAWLSITE_DATA": str(own)}
        )

    def ask(self, verb: str, machine: Machine) -> None:
        """Drains or resumes the workers of a machine."""
        self.shell.run(WORKERS.format(verb=verb, machine=machine.name))

    def begin(self, n: int, budget: int, delay: float, concurrent: int) -> int:
        """Starts a crawl of a web; returns its key."""
        log_text = self.shell.run(
            START.format(n=n, budget=budget, delay=delay, concurrent=concurrent)
        )
        return int(log_text.split()[-1])

    def has_ended(self, crawl: int) -> bool:
        return self.shell.run(STATE.format(crawl=crawl)).strip() in ("finished", "failed", "paused")

    def log_text(self) -> str:
        return "\n".join(
            f"--- {machine.name}\n{machine.log.read_text(errors='replace')[-3000:]}"
            for machine in (*self.coordinators, *self.agents)
            if machine.log.exists()
        )

    def requests(self) -> list[tuple[float, str]]:
        """Every request that the web saw, in the order of arrival."""
        lines = (line.split() for line in self.log.read_text().splitlines())
        return sorted((float(words[0]), words[2]) for words in lines if len(words) == 5)


@contextmanager
def lab_of(
    folder: Path, sizes: Mapping[str, int], settings: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Lab]:
    """Machines and webs of these numbers: `agents`, `crawls`, and `pages` and `hosts` of a web."""
    with ExitStack() as stack:
        yield Lab(stack, folder, sizes, settings)
