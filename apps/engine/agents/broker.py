"""The broker between coordinators and the agents of other machines: keys in Redis, and its clock.

    …:fetch:sessions          hash: the heartbeat of each coordinator (`CoordinatorHeartbeat`)
    …:fetch:agents            hash: the heartbeat of each agent (`AgentHeartbeat`)
    …:fetch:drained           set: the agents that are to take no request
    …:fetch:silent            set: the agents whose silence has been reported
    …:fetch:given_again       hash: how many requests of each agent were given out again
    …:fetch:late              hash: how many answers of each came after that and were dropped
    …:fetch:malformed         hash: how many entries of each kind of stream were skipped
    …:fetch:tasks:SESSION     stream with one consumer group: the requests of a session
    …:fetch:replies:SESSION   stream: their answers

Nothing here must survive. All renew their heartbeats every second. Whoever has not done so before
`until`, in Redis' own time, counts as gone, and stops by itself: an agent that is cut off or
suspended cannot send a request that has been given out again meanwhile.

Whatever else writes into this Redis, a malformed entry is skipped and counted: it fails no crawl,
no agent and no screen.
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
from functools import cache, cached_property
from hashlib import blake2b
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from apps.engine.agents.packing import packed

Count = Annotated[int, Field(ge=0, lt=2**53)]
Quantity = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Name = Annotated[str, Field(max_length=255)]
SessionName = Annotated[str, Field(pattern=r"^[0-9]{1,18}\.[0-9]{1,18}$")]
State = Literal["running", "draining", "drained"]
M = TypeVar("M")
W = TypeVar("W", bound="Heartbeat")

GROUP = "agents"
BEAT_SECONDS = 1.0
VALID_SECONDS = 6.0
"""The seconds for which a heartbeat holds."""
TAKEN_WITHIN = 5.0
"""A task that nobody has begun by then is not begun any more."""
MARGIN_SECONDS = 2.0
"""By how much clocks and messages may be late."""
STREAM_SECONDS = 3600
ANSWER_SECONDS = 4.0
LOOK_SECONDS = 0.1
STEPS = 60
"""How many steps of ten seconds an agent's `rates` are."""
_SIGNED = 32


class BadSeal(Exception):
    """A message was not written by this site's code with its key, for this session and purpose."""


class Malformed(ValueError):
    """An entry of a hash is not what its kind holds."""


@dataclass(frozen=True)
class AgentBroker:
    """Redis with its address, the prefix of the keys, the site's key, and the version of the code,
    without which no message can be read."""

    url: str
    prefix: str
    key: bytes
    code: str

    def connect(self) -> Any:
        """A client that repeats nothing by itself: a message sent twice would be two tasks."""
        import redis.asyncio
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        return redis.asyncio.Redis.from_url(
            self.url,
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
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
    def reported_silent(self) -> str:
        return f"{self.prefix}:fetch:silent"

    @property
    def given_again(self) -> str:
        return f"{self.prefix}:fetch:given_again"

    @property
    def late(self) -> str:
        return f"{self.prefix}:fetch:late"

    @property
    def malformed(self) -> str:
        return f"{self.prefix}:fetch:malformed"

    def tasks(self, session: str) -> str:
        return f"{self.prefix}:fetch:tasks:{session}"

    def replies(self, session: str) -> str:
        return f"{self.prefix}:fetch:replies:{session}"

    @cached_property
    def _secret(self) -> bytes:
        return blake2b(self.code.encode(), key=self.key, digest_size=_SIGNED).digest()

    def _signature(self, kind: type, session: str, data: bytes) -> bytes:
        signed = blake2b(
            f"{kind.__name__} {session}\n".encode(), key=self._secret, digest_size=_SIGNED
        )
        signed.update(data)
        return signed.digest()

    def seal(self, message: object, session: str) -> bytes:
        """The message as signed bytes, which only this session can read."""
        data = packed(message)
        return self._signature(type(message), session, data) + data

    def unseal(self, data: bytes, kind: type[M], session: str) -> M:
        """The message. Raises BadSeal before anything is read of one that is not ours, of another
        kind or of another session."""
        signature, message = data[:_SIGNED], data[_SIGNED:]
        if not hmac.compare_digest(signature, self._signature(kind, session, message)):
            raise BadSeal
        unsealed: M = pickle.loads(message)
        return unsealed


async def make_group(redis: Any, tasks: str) -> None:
    """Makes a stream of tasks with its group, if it is not there."""
    from redis import ResponseError

    with suppress(ResponseError):  # it exists
        await redis.xgroup_create(tasks, GROUP, id="0", mkstream=True)


def entries_of(streams: Any) -> Iterator[tuple[bytes, bytes, Mapping[bytes, bytes]]]:
    """The entries that were read from streams: stream, number and fields.

    Redis' older protocol answers with a list of streams, the newer with a dictionary that nests the
    entries once more.
    """
    for stream, entries in streams.items() if isinstance(streams, dict) else streams or ():
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

    def set(self, requested: float, redis_time: tuple[int, int]) -> None:
        """Sets the clock by Redis' TIME, `requested` at that second of this machine."""
        self._ahead = redis_time[0] + redis_time[1] / 1e6 - requested

    def now(self) -> float:
        assert self._ahead is not None
        return self.here() + self._ahead


class Heartbeat:
    """The heartbeat of an agent as stored in JSON; other versions may have more or fewer fields."""

    @classmethod
    def read(cls, text: bytes | str) -> Self:
        """Raises Malformed."""
        try:
            heartbeat: Self = _adapter(cls).validate_json(text)  # type: ignore[arg-type]
        except ValidationError as error:
            raise Malformed(str(error)) from error
        return heartbeat

    def text(self) -> str:
        return json.dumps(asdict(self))  # type: ignore[call-overload]


@cache
def _adapter(kind: type[Heartbeat]) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


@dataclass(frozen=True, slots=True)
class CoordinatorHeartbeat(Heartbeat):
    """The heartbeat of a coordinator: how long it holds, the version of its code, the sealed
    equipment of its requests (hexadecimal), how many of them are out."""

    until: Quantity = 0.0
    code: Name = ""
    equipment: str = ""
    out: Count = 0
    is_closed: bool = False


@dataclass(frozen=True, slots=True)
class AgentHeartbeat(Heartbeat):
    """The heartbeat of an agent.

    `tree` names the processes that start and end with it. `room` is how many requests it takes at
    once, `out` those it has now, `serves` the sessions it serves. `rate` is in pages a second (of
    each session in `rates_by`) and `busy` the share of a core over the last seconds, `cpu_ms` the
    CPU milliseconds a page, `memory` in bytes, `rates` the pages a second of the last ten minutes,
    in steps of ten seconds. `has_proxy`: its requests go through one.
    """

    until: Quantity = 0.0
    sent_at: Quantity = 0.0
    code: Name = ""
    machine: Name = ""
    tree: Name = ""
    number: Count = 0
    cores: Count = 0
    machine_memory: Count = 0
    room: Count = 0
    has_proxy: bool = False
    state: State = "running"
    out: Count = 0
    serves: list[SessionName] = field(default_factory=list)
    fetched: Count = 0
    rate: Quantity = 0.0
    rates_by: dict[SessionName, Quantity] = field(default_factory=dict)
    busy: Quantity = 0.0
    cpu_ms: Quantity = 0.0
    memory: Count = 0
    rates: Annotated[list[Quantity], Field(max_length=STEPS)] = field(default_factory=list)

    @property
    def takes(self) -> int:
        """How many requests it is ready for."""
        return self.room if self.state == "running" else 0


def read_heartbeats(kind: type[W], entries: Mapping[bytes, bytes]) -> tuple[dict[str, W], int]:
    """The entries of a hash by their names, and how many malformed ones were skipped."""
    heartbeats: dict[str, W] = {}
    for name, text in entries.items():
        with suppress(ValueError):  # UnicodeDecodeError and Malformed are some
            heartbeats[name.decode()] = kind.read(text)
    return heartbeats, len(entries) - len(heartbeats)


def read_sessions(entries: Mapping[bytes, bytes]) -> dict[str, CoordinatorHeartbeat]:
    """The sessions of the hash by their names, without malformed ones."""
    return read_heartbeats(CoordinatorHeartbeat, entries)[0]


def read_agents(entries: Mapping[bytes, bytes]) -> dict[str, AgentHeartbeat]:
    """The agents of the hash by their names, without malformed ones."""
    return read_heartbeats(AgentHeartbeat, entries)[0]
