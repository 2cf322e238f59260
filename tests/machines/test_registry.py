"""The agents as Redis has them, beside entries that nobody of this site wrote."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from apps.api.metrics import agent_lines
from apps.engine.agents.broker import AgentHeartbeat
from apps.machines import registry, tasks
from tests.own_redis import own_redis


@pytest.fixture
def redis(tmp_path: Path, settings) -> Iterator[Redis]:
    with own_redis(tmp_path) as server, Redis.from_url(server.url) as client:
        settings.REDIS_URL = server.url
        yield client


def test_malformed_entries_are_skipped_and_counted(redis: Redis) -> None:
    keys = registry.redis_keys()
    redis.hset(keys.agents, "a", AgentHeartbeat(machine="mistral", serves=["3.1"]).text())
    redis.hset(keys.agents, "evil", "notjson")
    redis.hset(keys.agents, "odd", '{"serves": ["x"]}')
    redis.hset(keys.sessions, b"\xff", "{}")
    redis.hset(keys.given_again, "a", "many")
    redis.hset(keys.late, "a", 2)
    redis.hset(keys.malformed, mapping={"replies": 5, "tasks": "many"})
    (agent,) = registry.agents()
    assert (agent.name, agent.given_again, agent.late) == ("a", 0, 2)
    skipped = {"agents": 2, "sessions": 1, "tasks": 0, "replies": 5}
    assert registry.malformed_entries() == skipped
    assert 'crawlsite_malformed_redis_entries{among="replies"} 5\n' in "".join(agent_lines())


def test_without_redis_there_are_none(settings) -> None:
    settings.REDIS_URL = ""
    assert registry.malformed_entries() == {}


@pytest.mark.parametrize("holder", [b"\xff", b"x", b"a:b", b"a:b:c:d", b""])
def test_a_number_that_nobody_holds_is_taken(redis: Redis, settings, holder: bytes) -> None:
    redis.set(f"{settings.REDIS_PREFIX}:fetch:number:{settings.MACHINE}:1", holder)
    assert tasks._number("an agent") == 1
