"""Agents and workers by machine, for administrators: what each does, drain and resume."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from apps.crawls.models import Crawl
from apps.crawls.workload import workload
from apps.engine.agents.meeting import STEPS
from apps.jobs.code_version import code_version
from apps.jobs.installation import database
from apps.jobs.process import this_place
from apps.machines import registry, workers
from apps.machines.models import Workers
from apps.machines.registry import LentAgent
from apps.screens.accounts.administration import administrators_only
from apps.screens.sparkline import Sparkline, sparkline

# The icon, the tone and the words of each state of an agent.
STATES = {
    "running": ("play", "ok", "running"),
    "draining": ("download", "warn", "draining"),
    "drained": ("pause", "warn", "drained"),
    "silent": ("warn", "warn", "silent"),
}
SILENT_SECONDS = 15.0
"""Without a word for so long, workers are called silent; agents speak more often."""
VERBS = {
    "drain": (registry.drain, "takes no new request; what it has it finishes."),
    "resume": (registry.resume, "takes requests again."),
    "forget": (registry.forget, "is no longer listed."),
}
WORKER_VERBS = {
    "drain": (workers.drain, "take no new crawl; those they run are handed on at the next commit."),
    "resume": (workers.resume, "take crawls again."),
    "forget": (workers.forget, "are no longer listed."),
}
UNREACHABLE = "Redis does not answer, so agents of other machines cannot be listed."
NOT_ASKED = "Redis does not answer, so nothing was asked of the agents. Try again."


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One agent; `line` is its pages a second of the last ten minutes, `verb` what may be asked of
    it."""

    agent: LentAgent
    icon: str
    tone: str
    state: str
    line: Sparkline

    @property
    def label(self) -> str:
        return f"agent-{self.agent.word.number}"

    @property
    def verb(self) -> str:
        return _verb(self.agent.state)


@dataclass(frozen=True, slots=True)
class MachineRow:
    """A machine that lends agents, with the pages a second of all of them."""

    name: str
    cores: int
    memory: int
    rows: list[AgentRow]

    @property
    def rate(self) -> float:
        return sum(row.agent.word.rate for row in self.rows if row.agent.state != "silent")

    @property
    def running(self) -> list[str]:
        """The names of the agents that can be drained."""
        return [row.agent.name for row in self.rows if row.agent.state == "running"]


@dataclass(frozen=True, slots=True)
class CrawlRow:
    """A crawl that a worker runs; `age` is the seconds since it last renewed its lease."""

    crawl: Crawl
    rate: float | None
    age: float


@dataclass(frozen=True, slots=True)
class WorkersRow:
    """A machine that runs crawls: `place` is its key, `busy` the share of its `room` that is taken;
    `verb` is what may be asked of it. Without a place it has never spoken, as one on which a crawl
    was started by hand."""

    name: str
    place: str
    here: bool
    state: str
    room: int
    age: float
    rows: list[CrawlRow]

    @property
    def shown(self) -> tuple[str, str, str]:
        return STATES[self.state]

    @property
    def rate(self) -> float:
        return sum(row.rate or 0.0 for row in self.rows)

    @property
    def busy(self) -> float | None:
        return min(1.0, len(self.rows) / self.room) if self.room else None

    @property
    def verb(self) -> str:
        return _verb(self.state)


def _verb(state: str) -> str:
    """What may be asked of agents or workers in this state."""
    return {"silent": "forget", "running": "drain"}.get(state, "resume")


@never_cache
@administrators_only
def machines(request: HttpRequest) -> HttpResponse:
    """The page of agents and workers."""
    unreachable, agents = "", []
    try:
        agents = registry.agents()
    except registry.RedisDown:
        unreachable = UNREACHABLE
    serving = [agent for agent in agents if agent.state == "running"]
    coordinators = list(workers_rows())
    crawls = [row for machine in coordinators for row in machine.rows]
    return render(request, "accounts/machines.html", {
        "machines": list(machine_rows(agents)), "agents": agents, "serving": serving,
        "silent": [agent for agent in agents if agent.state == "silent"],
        "busy": sum(agent.word.busy for agent in serving) / len(serving) if serving else None,
        "rate": sum(row.rate or 0.0 for row in crawls), "crawls": crawls,
        "coordinators": coordinators, "work": workload(), "unreachable": unreachable,
        "has_redis": bool(settings.REDIS_URL), "local": settings.AGENTS,
        "bucket": settings.S3_BUCKET,
        "database": database(), "code": code_version(), "now": timezone.now(),
    })  # fmt: skip


@never_cache
@administrators_only
@require_POST
def act(request: HttpRequest) -> HttpResponse:
    """Carries out `drain`, `resume` or `forget` on the agents named in `agent`."""
    verb, names = request.POST.get("verb", ""), request.POST.getlist("agent")
    try:
        known = {agent.name for agent in registry.agents()}
        if verb not in VERBS or not names or not known.issuperset(names):
            messages.error(request, "There is no such agent any more, or nothing like that to do.")
            return redirect("accounts:machines")
        carry_out, words = VERBS[verb]
        carry_out(*names)
    except registry.RedisDown:
        messages.error(request, NOT_ASKED)
        return redirect("accounts:machines")
    who = request.POST.get("label", "") or "The agent"
    messages.success(request, f"{who[:60]}: {words}")
    return redirect("accounts:machines")


@never_cache
@administrators_only
@require_POST
def act_on_workers(request: HttpRequest) -> HttpResponse:
    """Carries out `drain`, `resume` or `forget` on the workers of the machine `place`."""
    verb = request.POST.get("verb", "")
    found = Workers.objects.filter(place=request.POST.get("place", "").replace("\0", "")).first()
    if verb not in WORKER_VERBS or found is None:
        messages.error(request, "There is no such machine any more, or nothing like that to do.")
        return redirect("accounts:machines")
    carry_out, words = WORKER_VERBS[verb]
    carry_out(found.place)
    messages.success(request, f"Workers of {found.machine}: {words}")
    return redirect("accounts:machines")


def machine_rows(agents: list[LentAgent]) -> Iterator[MachineRow]:
    """The machines of those agents, which come in their order; all sparklines share one scale."""
    top = max((rate for agent in agents for rate in agent.word.rates), default=0.0) or 1.0
    for name, group in groupby(agents, key=lambda agent: agent.word.machine):
        of_it = list(group)
        newest = max(of_it, key=lambda agent: agent.word.said).word
        rows = [AgentRow(agent, *STATES[agent.state], _last_minutes(agent, top)) for agent in of_it]
        yield MachineRow(name, newest.cores, newest.machine_memory, rows)


def _last_minutes(agent: LentAgent, top: float) -> Sparkline:
    rates = agent.word.rates
    missing: list[float | None] = [None] * (STEPS - len(rates))
    return sparkline("Last 10 minutes", "ink", [*missing, *rates], top, "")


def workers_rows() -> Iterator[WorkersRow]:
    """Every machine that runs crawls, with the crawls that it runs now."""
    now = timezone.now()
    running: dict[str, list[CrawlRow]] = {}
    for crawl in Crawl.objects.exclude(runner="").select_related("topic").order_by("pk"):
        left = (crawl.lease_until - now).total_seconds() if crawl.lease_until else 0.0
        row = CrawlRow(crawl, crawl.metrics.get("pages_per_second"),
                       max(0.0, settings.LEASE_SECONDS - left))
        running.setdefault(crawl.runner.partition(":")[0], []).append(row)
    for known in Workers.objects.all():
        rows = running.pop(known.place, [])
        age = (now - known.said_at).total_seconds()
        state = "silent" if age > SILENT_SECONDS else "running" if not known.drained else \
            "draining" if rows else "drained"
        yield WorkersRow(known.machine, known.place, known.place == this_place(), state,
                         known.room, age, rows)
    for place, rows in running.items():
        here = place == this_place()
        yield WorkersRow("this machine" if here else "another machine", "", here, "running", 0,
                         min(row.age for row in rows), rows)
