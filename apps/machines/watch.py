"""Looks after agents and workers that have fallen silent, and tells it once."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from apps.machines import events, registry
from apps.machines.models import Workers
from apps.machines.registry import LentAgent

SILENT_SECONDS = 13.0
"""After so long without a word, what an agent had has been given out again."""
WORKERS_SILENT_SECONDS = 15.0


def watch() -> None:
    """One round of any machine; each silence is told by the first that sees it. Raises
    RedisDown."""
    _watch_workers()
    if settings.REDIS_URL:
        _watch_agents(registry.agents())


def _watch_workers() -> None:
    now = timezone.now()
    before = now - timedelta(seconds=WORKERS_SILENT_SECONDS)
    for workers in Workers.objects.filter(said_at__lt=before, told_silent=False):
        if Workers.objects.filter(pk=workers.pk, told_silent=False).update(told_silent=True):
            seconds = (now - workers.said_at).total_seconds()
            events.write("workers_silent", workers.machine, seconds=round(seconds))


def _watch_agents(agents: list[LentAgent]) -> None:
    for agent in agents:
        said = {"agents": [agent.word.number], "late": agent.late}
        if agent.state != "silent":
            if agent.told_silent and registry.tell_back(agent.name):
                events.write("agent_back", agent.word.machine, **said)
        elif agent.age > SILENT_SECONDS and registry.tell_silent(agent.name):
            events.write("agent_silent", agent.word.machine, **said, seconds=round(agent.age),
                         given_again=agent.given_again)
