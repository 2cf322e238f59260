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
from apps.jobs.process import place_of, this_place
from apps.machines.models import Workers
from apps.machines.watch import WORKERS_SILENT_SECONDS
from apps.screens.machines.states import STATES, Shown, age_words, verb


@dataclass(frozen=True, slots=True)
class CrawlRow:
    """A crawl that a worker runs; `age` is the seconds since it last renewed its lease."""

    crawl: Crawl
    age: float

    @property
    def worker(self) -> str:
        """The worker's name: the number of its process."""
        return f"worker {self.crawl.runner.split(':')[1]}"

    @property
    def rate(self) -> float | None:
        return self.crawl.metrics.get("pages_per_second")

    @property
    def busy(self) -> float | None:
        return CrawlLoad.of(self.crawl.load).coordinator

    @property
    def ago(self) -> str:
        return age_words(self.age)


@dataclass(frozen=True, slots=True)
class WorkersRow:
    """A machine that runs crawls, at most `room` at once: `place` is its key; `verb` is what may be
    asked of it. `others` tasks are done there besides. Without a place it has never spoken, as one
    on which a crawl was started by hand."""

    name: str
    place: str
    here: bool
    state: str
    room: int
    age: float
    rows: list[CrawlRow]
    others: int

    @property
    def shown(self) -> Shown:
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
    running: dict[str, list[CrawlRow]] = {}
    for crawl in crawls:
        left = (crawl.lease_until - now).total_seconds() if crawl.lease_until else 0.0
        row = CrawlRow(crawl, max(0.0, settings.LEASE_SECONDS - left))
        running.setdefault(place_of(crawl.runner), []).append(row)
    for known in Workers.objects.all():
        rows = running.pop(known.place, [])
        age = (now - known.said_at).total_seconds()
        state = "silent" if age > WORKERS_SILENT_SECONDS else "running" if not known.drained else \
            "draining" if rows else "drained"
        yield WorkersRow(known.machine, known.place, known.place == this_place(), state,
                         known.room, age, rows, others.get(known.place, 0))
    for place, rows in running.items():
        here = place == this_place()
        yield WorkersRow("this machine" if here else "another machine", "", here, "running", 0,
                         min(row.age for row in rows), rows, others.get(place, 0))


def _other_tasks() -> Counter[str]:
    """How many tasks workers do besides crawls, by the place of their machine."""
    return Counter(
        place_of(worker)
        for model in queue.models()
        for worker in model._default_manager.filter(job_state=model.State.WORKING).values_list(
            "job_worker", flat=True)
    )
