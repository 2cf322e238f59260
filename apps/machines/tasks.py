"""The task of a `fetch` cluster: an agent that serves the crawls of every machine."""

from __future__ import annotations

import asyncio
import os
from itertools import count

from django.conf import settings
from django.db import connections
from django_q.brokers import get_broker
from django_q.tasks import async_task

from apps.engine.agents.broker import AgentHeartbeat
from apps.engine.networking.address_guard import AddressGuard
from apps.jobs.process import is_gone, system_of, this_process, this_system
from apps.jobs.site import TREE, is_stopping
from apps.machines import events, registry
from apps.machines.broker import broker

NUMBER_SECONDS = 7 * 24 * 3600


def serve() -> str:
    """Serves as an agent until the machine's processes are to end.

    One that waited for a free worker gets it when they end, and does not begin then.
    """
    if is_stopping(settings.DATA_DIR):
        return "ended"
    from apps.engine.agents.lent_agent import LentAgent

    redis = broker()
    assert redis is not None
    name = this_process()
    number = _number(name)
    agent = LentAgent(
        redis,
        name,
        _word(number),
        AddressGuard(settings.ALLOWED_ADDRESSES),
        lambda: is_stopping(settings.DATA_DIR),
        settings.CRAWL_PROXY,
    )
    events.write("agents_joined", settings.MACHINE, agents=[number])
    connections.close_all()
    asyncio.run(agent.serve())
    events.write("agents_left", settings.MACHINE, agents=[number])
    return "ended"


def keep_serving(wanted: int) -> int:
    """Queues as many agents as this machine lacks; returns their number.

    Queued ones count as there. An agent that has just been taken does not yet: one too many waits
    in the queue until a worker is free, which is when an agent has been lost.
    """
    tree, cluster = os.environ[TREE], settings.FETCH_CLUSTER
    serving = sum(
        agent.word.tree == tree and agent.state != "silent" for agent in registry.agents()
    )
    missing = wanted - serving - int(get_broker(cluster).queue_size())
    for _ in range(missing):
        async_task("apps.machines.tasks.serve", cluster=cluster, task_name="agent")
    return max(0, missing)


def _word(number: int) -> AgentHeartbeat:
    return AgentHeartbeat(
        machine=settings.MACHINE,
        tree=os.environ.get(TREE, ""),
        number=number,
        cores=os.cpu_count() or 1,
        room=settings.AGENT_REQUESTS,
        machine_memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
    )


def _number(name: str) -> int:
    """The least number from 1 that no living agent of this machine has."""
    with registry.connected() as client:
        for number in count(1):
            key = f"{settings.REDIS_PREFIX}:fetch:number:{settings.MACHINE}:{number}"
            if client.set(key, name, nx=True, ex=NUMBER_SECONDS):
                return number
            holder = (client.get(key) or b"").decode(errors="replace")
            if not holder or _has_ended(holder):
                client.set(key, name, ex=NUMBER_SECONDS)
                return number
    raise AssertionError("numbers do not end")


def _has_ended(holder: str) -> bool:
    if is_gone(holder):
        return True
    return (
        not any(agent.name == holder and agent.state != "silent" for agent in registry.agents())
        and system_of(holder) != this_system()
    )
