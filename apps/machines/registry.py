"""The agents that machines lend, by their own entries in Redis; draining and forgetting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from apps.engine.agents import broker
from apps.engine.agents.broker import (
    AgentBroker,
    AgentHeartbeat,
    CoordinatorHeartbeat,
    read_agents,
    read_heartbeats,
)
from apps.jobs.code_version import code_version

SILENT_SECONDS = 2.0


class RedisDown(Exception):
    """The site's Redis does not answer as it should."""


@dataclass(frozen=True, slots=True)
class AgentRecord:
    """An agent by its name in Redis, with its latest word, `age` seconds ago.

    `state` is its own word's, or `silent` once it no longer holds. Of the requests that it has had
    since it was first there or last back, `given_again` were given out again because it was gone,
    and `late` answers to them were dropped. `silence_reported`: its silence is an event already.
    """

    name: str
    word: AgentHeartbeat
    age: float
    state: str
    given_again: int = 0
    late: int = 0
    silence_reported: bool = False

    @property
    def crawls(self) -> list[int]:
        """The crawls that it serves."""
        if self.state == "silent":
            return []
        return sorted({int(session.partition(".")[0]) for session in self.word.serves})


def redis_keys() -> AgentBroker:
    """The names of this site's keys in Redis, without the key that signs tasks."""
    return AgentBroker(settings.REDIS_URL, settings.REDIS_PREFIX, b"", code_version())


@contextmanager
def connected() -> Iterator[Any]:
    """A client of the site's Redis. Raises RedisDown."""
    import redis

    try:
        with redis.Redis.from_url(
            settings.REDIS_URL,
            socket_timeout=broker.ANSWER_SECONDS,
            socket_connect_timeout=broker.ANSWER_SECONDS,
        ) as client:
            yield client
    except redis.RedisError as error:
        raise RedisDown(str(error)) from error


def agents() -> list[AgentRecord]:
    """All agents by machine and number; none without Redis. Raises RedisDown."""
    if not settings.REDIS_URL:
        return []
    keys = redis_keys()
    with connected() as client, client.pipeline(transaction=False) as pipe:
        pipe.time()
        for key in (keys.agents, keys.given_again, keys.late):
            pipe.hgetall(key)
        pipe.smembers(keys.reported_silent)
        (seconds, fraction), words, again, late, reported = pipe.execute()
    now = seconds + fraction / 1e6
    all_of_them = [
        _agent(
            name,
            word,
            now,
            _count(again, name),
            _count(late, name),
            name.encode() in reported,
        )
        for name, word in read_agents(words).items()
    ]
    return sorted(all_of_them, key=lambda agent: (agent.word.machine, agent.word.number))


def _count(counts: Mapping[bytes, bytes], name: str) -> int:
    """The count of that name; 0 if it is missing or no number."""
    text = counts.get(name.encode(), b"")
    return int(text) if text.isdigit() and len(text) < 16 else 0


def malformed_entries() -> dict[str, int]:
    """How many entries of Redis were skipped as malformed: of `agents` and `sessions` those that
    are there now, of `tasks` and `replies` all so far. Empty without Redis. Raises RedisDown."""
    if not settings.REDIS_URL:
        return {}
    keys = redis_keys()
    with connected() as client, client.pipeline(transaction=False) as pipe:
        for key in (keys.agents, keys.sessions, keys.malformed):
            pipe.hgetall(key)
        agent_words, sessions, skipped = pipe.execute()
    return {
        "agents": read_heartbeats(AgentHeartbeat, agent_words)[1],
        "sessions": read_heartbeats(CoordinatorHeartbeat, sessions)[1],
        "tasks": _count(skipped, "tasks"),
        "replies": _count(skipped, "replies"),
    }


@dataclass(frozen=True, slots=True)
class AgentsLoad:
    """All agents that machines lend: how many there are by state; of those not silent the requests
    out, the pages a second and the cores that they keep busy."""

    states: dict[str, int]
    out: int
    rate: float
    busy: float


def load() -> AgentsLoad:
    """The load of the agents now. Raises RedisDown."""
    lent = agents()
    words = [agent.word for agent in lent if agent.state != "silent"]
    counted = Counter(agent.state for agent in lent)
    return AgentsLoad(
        {state: counted[state] for state in ("running", "draining", "drained", "silent")},
        sum(word.out for word in words),
        round(sum(word.rate for word in words), 2),
        round(sum(word.busy for word in words), 3),
    )


def _agent(
    name: str, word: AgentHeartbeat, now: float, given_again: int, late: int, reported: bool
) -> AgentRecord:
    state = "silent" if word.until < now else word.state
    return AgentRecord(name, word, max(0.0, now - word.sent_at), state, given_again, late, reported)


def redis_version() -> str:
    """`Redis 7.2.4`; empty without Redis. Raises RedisDown."""
    if not settings.REDIS_URL:
        return ""
    with connected() as client:
        return f"Redis {client.info('server')['redis_version']}"


def claim_silence_event(name: str) -> bool:
    """Claims the event that an agent fell silent; False if another process has it. Raises
    RedisDown."""
    with connected() as client:
        return bool(client.sadd(redis_keys().reported_silent, name))


def claim_return_event(name: str) -> bool:
    """Claims the event that an agent is back, whose counts begin again; False if another process
    has it. Raises RedisDown."""
    with connected() as client:
        first = bool(client.srem(redis_keys().reported_silent, name))
        if first:
            _uncount(client, name)
    return first


def _uncount(client: Any, *names: str) -> None:
    for key in (redis_keys().given_again, redis_keys().late):
        client.hdel(key, *names)


def drain(*names: str) -> None:
    """Drains these agents: they finish their requests and take no new ones. Raises RedisDown."""
    with connected() as client:
        client.sadd(redis_keys().drained, *names)


def resume(*names: str) -> None:
    """Resumes these agents: they take requests again. Raises RedisDown."""
    with connected() as client:
        client.srem(redis_keys().drained, *names)


def forget(*names: str) -> None:
    """Removes silent agents from the list; one that comes back appears again. Raises RedisDown."""
    with connected() as client:
        client.hdel(redis_keys().agents, *names)
        for key in (redis_keys().drained, redis_keys().reported_silent):
            client.srem(key, *names)
        _uncount(client, *names)
