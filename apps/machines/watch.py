"""Looks after agents and workers that have fallen silent, and writes one event of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from apps.machines import events, registry
from apps.machines.models import Workers
from apps.machines.registry import AgentRecord

SILENT_SECONDS = 13.0
"""After so long without a word, what an agent had has been given out again."""
WORKERS_SILENT_SECONDS = 15.0


def watch() -> None:
    """One round of any machine; the first to see a silence writes its event. Raises
    RedisDown."""
    _watch_workers()
    if settings.REDIS_URL:
        _watch_agents(registry.agents())


def _watch_workers() -> None:
    now = timezone.now()
    before = now - timedelta(seconds=WORKERS_SILENT_SECONDS)
    unreported = Workers.objects.filter(silence_reported=False)
    for workers in unreported.filter(alive_at__lt=before):
        if unreported.filter(pk=workers.pk).update(silence_reported=True):
            seconds = (now - workers.alive_at).total_seconds()
            events.write("workers_silent", workers.machine, seconds=round(seconds))


def _watch_agents(agents: list[AgentRecord]) -> None:
    for agent in agents:
        payload: dict[str, Any] = {"agents": [agent.word.number], "late": agent.late}
        if agent.state != "silent":
            if agent.silence_reported and registry.claim_return_event(agent.name):
                events.write("agent_back", agent.word.machine, **payload)
        elif agent.age > SILENT_SECONDS and registry.claim_silence_event(agent.name):
            events.write(
                "agent_silent",
                agent.word.machine,
                **payload,
                seconds=round(agent.age),
                given_again=agent.given_again,
            )
