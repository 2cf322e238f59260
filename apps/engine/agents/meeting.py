"""Where coordinators and the agents of other machines meet: keys in one Redis, and its clock.

    …:fetch:sessions          hash: what each coordinator says of its crawl (`Session`)
    …:fetch:agents            hash: what each agent says of itself (`AgentWord`)
    …:fetch:drained           set: the agents that are to take no request
    …:fetch:silent            set: the agents whose silence has been told
    …:fetch:given_again       hash: how many requests of each agent were given out again
    …:fetch:late              hash: how many answers of each came after that and were dropped
    …:fetch:errands:SESSION   stream with one consumer group: the requests of a session
    …:fetch:replies:SESSION   stream: their answers

Nothing here must survive. All renew their words every second. Whoever has not done so before
`until`, in Redis' own time, counts as gone, and stops by itself: an agent that is cut off or
suspended cannot send a request that has been given out again meanwhile.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import pickle
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any, Self

from apps.engine.agents.packing import packed

GROUP = "agents"
BEAT_SECONDS = 1.0
VALID_SECONDS = 6.0
"""How long the word of a coordinator or an agent holds."""
TAKEN_WITHIN = 5.0
"""An errand that nobody has begun by then is not begun any more."""
MARGIN_SECONDS = 2.0
"""By how much clocks and messages may be late."""
KEPT_SECONDS = 3600
ANSWER_SECONDS = 4.0
LOOK_SECONDS = 0.1
STEPS = 60
"""How many steps of ten seconds an agent's `rates` are."""
_SIGNED = 32


class BadSeal(Exception):
    """A message was not written by this site's code with its key."""


@dataclass(frozen=True)
class Meeting:
    """The place: Redis' address, the first word of the keys, the site's key, and the version of the
    code, without which no message can be read."""

    url: str
    prefix: str
    key: bytes
    code: str

    def connect(self) -> Any:
        """A client that repeats nothing by itself: a message sent twice would be two errands."""
        import redis.asyncio
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        return redis.asyncio.Redis.from_url(
            self.url, socket_timeout=ANSWER_SECONDS, socket_connect_timeout=ANSWER_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )

    @property
    def sessions(self) -> str:
        return f"{self.prefix}:fetch:sessions"

    @property
    def agents(self) -> str:
        return f"{self.prefix}:fetch:agents"

    @property
    def drained(self) -> str:
        return f"{self.prefix}:fetch:drained"

    @property
    def told_silent(self) -> str:
        return f"{self.prefix}:fetch:silent"

    @property
    def given_again(self) -> str:
        return f"{self.prefix}:fetch:given_again"

    @property
    def late(self) -> str:
        return f"{self.prefix}:fetch:late"

    def errands(self, session: str) -> str:
        return f"{self.prefix}:fetch:errands:{session}"

    def replies(self, session: str) -> str:
        return f"{self.prefix}:fetch:replies:{session}"

    @cached_property
    def _secret(self) -> bytes:
        return blake2b(self.code.encode(), key=self.key, digest_size=_SIGNED).digest()

    def _signature(self, data: bytes) -> bytes:
        return blake2b(data, key=self._secret, digest_size=_SIGNED).digest()

    def seal(self, message: object) -> bytes:
        """The message as signed bytes."""
        data = packed(message)
        return self._signature(data) + data

    def unseal(self, data: bytes) -> Any:
        """The message. Raises BadSeal before anything is read of one that is not ours."""
        signature, message = data[:_SIGNED], data[_SIGNED:]
        if not hmac.compare_digest(signature, self._signature(message)):
            raise BadSeal
        return pickle.loads(message)


async def make_group(redis: Any, errands: str) -> None:
    """Makes a stream of errands with its group, if it is not there."""
    from redis import ResponseError

    with suppress(ResponseError):  # it exists
        await redis.xgroup_create(errands, GROUP, id="0", mkstream=True)


def entries_of(found: Any) -> Iterator[tuple[bytes, bytes, Mapping[bytes, bytes]]]:
    """What was read of streams: stream, number and fields of each entry.

    Redis' older protocol answers with a list of streams, the newer with a dictionary that nests the
    entries once more.
    """
    for stream, entries in found.items() if isinstance(found, dict) else found or ():
        is_nested = entries and isinstance(entries[0], list)
        for entry, fields in entries[0] if is_nested else entries:
            yield stream, entry, fields


async def stop(*tasks: asyncio.Task[None]) -> None:
    """Cancels the tasks until they have ended: a read from Redis may swallow a cancellation."""
    while left := [task for task in tasks if not task.done()]:
        for task in left:
            task.cancel()
        await asyncio.wait(left, timeout=LOOK_SECONDS)


class Clock:
    """Redis' time in Unix seconds, as of the last beat; it goes on while a machine sleeps.

    It may be fast by the time that a message takes, never slow.
    """

    def __init__(self) -> None:
        self._ahead: float | None = None

    @staticmethod
    def here() -> float:
        """Seconds of this machine since its start, those asleep included."""
        return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))

    @property
    def is_set(self) -> bool:
        return self._ahead is not None

    def set(self, asked: float, told: tuple[int, int]) -> None:
        """Redis `told` its TIME to whoever `asked` at that second of this machine."""
        self._ahead = told[0] + told[1] / 1e6 - asked

    def now(self) -> float:
        assert self._ahead is not None
        return self.here() + self._ahead


class Word:
    """What is stored as JSON; words of other versions may say more or less."""

    @classmethod
    def read(cls, text: bytes | str) -> Self:
        said = json.loads(text)
        names = cls.__dataclass_fields__  # type: ignore[attr-defined]
        return cls(**{name: value for name, value in said.items() if name in names})

    def text(self) -> str:
        return json.dumps(asdict(self))  # type: ignore[call-overload]


@dataclass(frozen=True, slots=True)
class Session(Word):
    """What a coordinator says: how long its word holds, the version of its code, the sealed
    equipment of its requests (hexadecimal), how many of them are out."""

    until: float = 0.0
    code: str = ""
    equipment: str = ""
    out: int = 0
    is_closed: bool = False


@dataclass(frozen=True, slots=True)
class AgentWord(Word):
    """What an agent says.

    `tree` names the processes that start and end with it. `room` is how many requests it takes at
    once, `out` those it has now, `serves` the sessions it serves. `rate` is in pages a second (of
    each session in `rates_by`) and `busy` the share of a core over the last seconds, `cpu_ms` the
    CPU milliseconds a page, `memory` in bytes, `rates` the pages a second of the last ten minutes,
    in steps of ten seconds.
    """

    until: float = 0.0
    said: float = 0.0
    code: str = ""
    machine: str = ""
    tree: str = ""
    number: int = 0
    cores: int = 0
    machine_memory: int = 0
    room: int = 0
    state: str = "running"
    out: int = 0
    serves: list[str] = field(default_factory=list)
    fetched: int = 0
    rate: float = 0.0
    rates_by: dict[str, float] = field(default_factory=dict)
    busy: float = 0.0
    cpu_ms: float = 0.0
    memory: int = 0
    rates: list[float] = field(default_factory=list)

    @property
    def takes(self) -> int:
        """How many requests it is ready for."""
        return self.room if self.state == "running" else 0


def read_sessions(found: Mapping[bytes, bytes]) -> dict[str, Session]:
    """The sessions of the hash by their names."""
    return {name.decode(): Session.read(text) for name, text in found.items()}


def read_agents(found: Mapping[bytes, bytes]) -> dict[str, AgentWord]:
    """The agents of the hash by their names."""
    return {name.decode(): AgentWord.read(text) for name, text in found.items()}
