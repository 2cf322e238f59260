"""The pieces of the page that change while it is open, each with a stamp."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string

from apps.crawls.messages import limit_words
from apps.crawls.models import Crawl
from apps.crawls.workload import waiting
from apps.figures.quantities import number_of
from apps.jobs.installation import database
from apps.machines import registry
from apps.machines.models import MachineEvent
from apps.machines.registry import AgentRecord
from apps.screens.machines.agents import by_crawl, by_machine
from apps.screens.machines.event_rows import event_rows
from apps.screens.machines.strip import strip
from apps.screens.machines.workers import WorkersRow, running_crawls, workers_rows
from apps.screens.stamps import Piece

UNREACHABLE = "Redis does not answer, so agents of other machines cannot be listed."
MACHINE, CRAWL = "machine", "crawl"
SHOWN_EVENTS = 6
NAMES = ("silence", "facts", "strip", "agents", "workers", "limits", "events")


@dataclass(frozen=True, slots=True)
class Fleet:
    """Agents, workers and the crawls that run, as they are now; `unreachable` says that Redis does
    not answer, `malformed` is how many of its entries were skipped."""

    agents: list[AgentRecord]
    crawls: list[Crawl]
    workers: list[WorkersRow]
    redis: str
    unreachable: str
    malformed: int = 0


def fleet() -> Fleet:
    """All of them."""
    agents, redis, unreachable, malformed = [], "", "", 0
    try:
        agents, redis = registry.agents(), registry.redis_version()
        malformed = sum(registry.malformed_entries().values())
    except registry.RedisDown:
        unreachable = UNREACHABLE
    crawls = running_crawls()
    return Fleet(agents, crawls, list(workers_rows(crawls)), redis, unreachable, malformed)


def pieces(now: Fleet, by: str) -> dict[str, Piece]:
    """The pieces by their ids, with the agents by machine or by crawl.

    They hold no form, whose token would make each of them new: buttons name the page's forms.
    """
    silent = [agent for agent in now.agents if agent.state == "silent"]
    coordinators = {row.name for row in now.workers if row.rows}
    groups = (
        by_crawl(now.agents, now.crawls) if by == CRAWL else by_machine(now.agents, coordinators)
    )
    context = {
        "fleet": now,
        "silent": silent,
        "by": by,
        "groups": groups,
        "given_again": sum(agent.given_again for agent in silent),
        "strip": strip(now.crawls, now.agents),
        "facts": _facts(now),
        "waiting": waiting(),
        "local": settings.AGENTS,
        "limits": [(crawl, limit_words(crawl)) for crawl in now.crawls],
        "events": event_rows(MachineEvent.objects.select_related("by")[:SHOWN_EVENTS]),
        "number_of_events": MachineEvent.objects.count(),
    }
    return {name: Piece(name, _html(name, context)) for name in NAMES}


def _facts(now: Fleet) -> list[str]:
    """The counts for the line under the title."""
    machines = {agent.word.machine for agent in now.agents} | {row.name for row in now.workers}
    workers = sum(row.room for row in now.workers)
    facts = [
        number_of(len(machines), "machine"),
        number_of(len(now.agents), "agent"),
        number_of(workers, "worker"),
        f"Crawlsite {settings.VERSION}",
        database(),
        now.redis,
    ]
    return [fact for fact in facts if fact]


def _html(name: str, context: dict[str, Any]) -> str:
    return render_to_string(f"machines/{name}.html", context).strip()
