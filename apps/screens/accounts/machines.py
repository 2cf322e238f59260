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
from apps.jobs.code_version import code_version
from apps.jobs.installation import database
from apps.jobs.process import this_place
from apps.machines import registry
from apps.machines.registry import LentAgent
from apps.screens.accounts.administration import administrators_only

# The icon, the tone and the words of each state of an agent.
STATES = {
    "running": ("play", "ok", "running"),
    "draining": ("download", "warn", "draining"),
    "drained": ("pause", "warn", "drained"),
    "silent": ("warn", "warn", "silent"),
}
VERBS = {
    "drain": (registry.drain, "takes no new request; what it has it finishes."),
    "resume": (registry.resume, "takes requests again."),
    "forget": (registry.forget, "is no longer listed."),
}
UNREACHABLE = "Redis does not answer, so agents of other machines cannot be listed."
NOT_ASKED = "Redis does not answer, so nothing was asked of the agents. Try again."


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One agent; `verb` is what may be asked of it."""

    agent: LentAgent
    icon: str
    tone: str
    state: str

    @property
    def label(self) -> str:
        return f"agent-{self.agent.word.number}"

    @property
    def verb(self) -> str:
        if self.agent.state == "silent":
            return "forget"
        return "drain" if self.agent.state == "running" else "resume"


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
class WorkerRow:
    """A worker that runs a crawl: `machine` is `this one` or `another one`, `age` the seconds since
    it last renewed its lease."""

    crawl: Crawl
    machine: str
    rate: float | None
    age: float


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
    workers = list(worker_rows())
    return render(request, "accounts/machines.html", {
        "machines": list(machine_rows(agents)), "agents": agents, "serving": serving,
        "silent": [agent for agent in agents if agent.state == "silent"],
        "busy": sum(agent.word.busy for agent in serving) / len(serving) if serving else None,
        "rate": sum(row.rate or 0.0 for row in workers),
        "workers": workers, "work": workload(), "unreachable": unreachable,
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


def machine_rows(agents: list[LentAgent]) -> Iterator[MachineRow]:
    """The machines of those agents, which come in their order."""
    for name, group in groupby(agents, key=lambda agent: agent.word.machine):
        of_it = list(group)
        newest = max(of_it, key=lambda agent: agent.word.said).word
        rows = [AgentRow(agent, *STATES[agent.state]) for agent in of_it]
        yield MachineRow(name, newest.cores, newest.machine_memory, rows)


def worker_rows() -> Iterator[WorkerRow]:
    """Every crawl that a worker runs now."""
    now = timezone.now()
    for crawl in Crawl.objects.exclude(runner="").select_related("topic").order_by("pk"):
        here = crawl.runner.startswith(f"{this_place()}:")
        left = (crawl.lease_until - now).total_seconds() if crawl.lease_until else 0.0
        yield WorkerRow(
            crawl, "this machine" if here else "another machine",
            crawl.metrics.get("pages_per_second"), max(0.0, settings.LEASE_SECONDS - left),
        )
