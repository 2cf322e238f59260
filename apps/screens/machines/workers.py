"""The machines that run crawls as rows, with the worker of each crawl."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.utils import timezone

from apps.crawls.load import CrawlLoad
from apps.crawls.models import Crawl
from apps.jobs import queue
from apps.jobs.process import system_of, this_system
from apps.machines.models import Workers
from apps.machines.watch import WORKERS_SILENT_SECONDS
from apps.screens.machines.states import STATES, StateMark, age_words, verb


@dataclass(frozen=True, slots=True)
class RunningCrawl:
    """A crawl that a worker runs; `age` is the seconds since it last renewed its lease."""

    crawl: Crawl
    age: float

    @property
    def worker(self) -> str:
        """The worker's name: the number of its process."""
        return f"worker {self.crawl.runner.split(':')[1]}"

    @property
    def rate(self) -> float | None:
        rate: float | None = self.crawl.metrics.get("pages_per_second")
        return rate

    @property
    def busy(self) -> float | None:
        return CrawlLoad.of(self.crawl.load).coordinator

    @property
    def ago(self) -> str:
        return age_words(self.age)


@dataclass(frozen=True, slots=True)
class WorkersRow:
    """A machine that runs crawls, at most `room` at once: `system` is its key; `verb` is the action
    it offers. `others` tasks are done there besides. Without a system it is not listed, as one on
    which a crawl was started by hand."""

    name: str
    system: str
    here: bool
    state: str
    room: int
    age: float
    rows: list[RunningCrawl]
    others: int

    @property
    def status(self) -> StateMark:
        return STATES[self.state]

    @property
    def rate(self) -> float | None:
        return sum(row.rate or 0.0 for row in self.rows) if self.rows else None

    @property
    def idle(self) -> int:
        """How many of its workers wait for a crawl."""
        return max(0, self.room - len(self.rows)) if self.state == "running" else 0

    @property
    def ago(self) -> str:
        return age_words(self.age)

    @property
    def verb(self) -> str:
        return verb(self.state, self.age)


def running_crawls() -> list[Crawl]:
    """The crawls that a worker runs now, in the order of their numbers."""
    return list(Crawl.objects.exclude(runner="").select_related("topic").order_by("pk"))


def workers_rows(crawls: list[Crawl]) -> Iterator[WorkersRow]:
    """Every machine that runs crawls, with those of `crawls` that it runs."""
    now, others = timezone.now(), _other_tasks()
    running: dict[str, list[RunningCrawl]] = {}
    for crawl in crawls:
        left = (crawl.lease_until - now).total_seconds() if crawl.lease_until else 0.0
        row = RunningCrawl(crawl, max(0.0, settings.LEASE_SECONDS - left))
        running.setdefault(system_of(crawl.runner), []).append(row)
    for registered in Workers.objects.all():
        rows = running.pop(registered.system, [])
        age = (now - registered.alive_at).total_seconds()
        state = (
            "silent"
            if age > WORKERS_SILENT_SECONDS
            else "running"
            if not registered.drained
            else "draining"
            if rows
            else "drained"
        )
        yield WorkersRow(
            registered.machine,
            registered.system,
            registered.system == this_system(),
            state,
            registered.room,
            age,
            rows,
            others.get(registered.system, 0),
        )
    for system, rows in running.items():
        here = system == this_system()
        yield WorkersRow(
            "this machine" if here else "another machine",
            "",
            here,
            "running",
            0,
            min(row.age for row in rows),
            rows,
            others.get(system, 0),
        )


def _other_tasks() -> Counter[str]:
    """How many tasks workers do besides crawls, by the system of their machine."""
    return Counter(
        system_of(worker)
        for model in queue.models()
        for worker in model._default_manager.filter(job_state=model.State.WORKING).values_list(
            "job_worker", flat=True
        )
    )
