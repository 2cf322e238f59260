"""The agents that machines lend, as they speak of themselves in Redis; draining and forgetting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from apps.engine.agents import meeting as places
from apps.engine.agents.meeting import AgentWord, Meeting, read_agents
from apps.jobs.code_version import code_version

SILENT_SECONDS = 2.0


class RedisDown(Exception):
    """The site's Redis does not answer as it should."""


@dataclass(frozen=True, slots=True)
class LentAgent:
    """An agent by its name in Redis, with its latest word, `age` seconds ago.

    `state` is its own word's, or `silent` once it no longer holds. Of the requests that it has had
    since it was first there or last back, `given_again` were given out again because it was gone,
    and `late` answers to them were dropped. `told_silent`: its silence is an event already.
    """

    name: str
    word: AgentWord
    age: float
    state: str
    given_again: int = 0
    late: int = 0
    told_silent: bool = False

    @property
    def crawls(self) -> list[int]:
        """The crawls that it serves."""
        if self.state == "silent":
            return []
        return sorted({int(session.partition(".")[0]) for session in self.word.serves})


def place() -> Meeting:
    """The place without its key, which only those need who read errands."""
    return Meeting(settings.REDIS_URL, settings.REDIS_PREFIX, b"", code_version())


@contextmanager
def connected() -> Iterator[Any]:
    """A client of the site's Redis. Raises RedisDown."""
    import redis

    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=places.ANSWER_SECONDS,
            socket_connect_timeout=places.ANSWER_SECONDS,
        ) as client:
            yield client
    except redis.RedisError as error:
        raise RedisDown(str(error)) from error


def agents() -> list[LentAgent]:
    """All agents by machine and number; none without Redis. Raises RedisDown."""
    if not settings.REDIS_URL:
        return []
    keys = place()
    with connected() as client, client.pipeline(transaction=False) as pipe:
        pipe.time()
        for key in (keys.agents, keys.given_again, keys.late):
            pipe.hgetall(key)
        pipe.smembers(keys.told_silent)
        (seconds, fraction), found, again, late, told = pipe.execute()
    now = seconds + fraction / 1e6
    all_of_them = [
        _agent(name, word, now, int(again.get(name.encode(), 0)), int(late.get(name.encode(), 0)),
               name.encode() in told)
        for name, word in read_agents(found).items()
    ]
    return sorted(all_of_them, key=lambda agent: (agent.word.machine, agent.word.number))


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
    found = agents()
    words = [agent.word for agent in found if agent.state != "silent"]
    counted = Counter(agent.state for agent in found)
    return AgentsLoad(
        {state: counted[state] for state in ("running", "draining", "drained", "silent")},
        sum(word.out for word in words), round(sum(word.rate for word in words), 2),
        round(sum(word.busy for word in words), 3),
    )


def _agent(
    name: str, word: AgentWord, now: float, given_again: int, late: int, told: bool
) -> LentAgent:
    state = "silent" if word.until < now else word.state
    return LentAgent(name, word, max(0.0, now - word.said), state, given_again, late, told)


def redis_version() -> str:
    """`Redis 7.2.4`; empty without Redis. Raises RedisDown."""
    if not settings.REDIS_URL:
        return ""
    with connected() as client:
        return f"Redis {client.info('server')['redis_version']}"


def tell_silent(name: str) -> bool:
    """Whether the caller is the first to see that an agent is silent. Raises RedisDown."""
    with connected() as client:
        return bool(client.sadd(place().told_silent, name))


def tell_back(name: str) -> bool:
    """Whether the caller is the first to see that an agent is back; its counts begin again. Raises
    RedisDown."""
    with connected() as client:
        first = bool(client.srem(place().told_silent, name))
        if first:
            _uncount(client, name)
    return first


def _uncount(client: Any, *names: str) -> None:
    for key in (place().given_again, place().late):
        client.hdel(key, *names)


def drain(*names: str) -> None:
    """Those agents take no new request; what they have they finish. Raises RedisDown."""
    with connected() as client:
        client.sadd(place().drained, *names)


def resume(*names: str) -> None:
    """Those agents take requests again. Raises RedisDown."""
    with connected() as client:
        client.srem(place().drained, *names)


def forget(*names: str) -> None:
    """Removes silent agents from the list; one that comes back appears again. Raises RedisDown."""
    with connected() as client:
        client.hdel(place().agents, *names)
        for key in (place().drained, place().told_silent):
            client.srem(key, *names)
        _uncount(client, *names)
