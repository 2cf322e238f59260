"""An agent that its machine lends: it takes requests of every crawl that meets it in Redis.

It believes a coordinator, and itself, only as long as their latest heartbeats hold (`broker.py`).
So it sends nothing, and drops what it does, soon after it has been cut off, and at once after it
has been suspended.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import monotonic

from redis import ResponseError

from apps.engine import garbage
from apps.engine.agents.agent_load import AgentLoad
from apps.engine.agents.answering import CpuMeter, answer
from apps.engine.agents.broker import (
    ANSWER_SECONDS,
    BEAT_SECONDS,
    GROUP,
    LOOK_SECONDS,
    VALID_SECONDS,
    AgentBroker,
    AgentHeartbeat,
    BadSeal,
    Clock,
    CoordinatorHeartbeat,
    State,
    entries_of,
    make_group,
    read_sessions,
    stop,
)
from apps.engine.agents.losses import LOST
from apps.engine.agents.messages import FetchTask
from apps.engine.networking.address_guard import AddressGuard
from apps.engine.networking.exchange import Equipment, Exchange, HttpExchange
from apps.engine.networking.proxy import Proxy

log = logging.getLogger("crawlsite.agents")

WAIT_SECONDS = 0.5


@dataclass
class _Served:
    """One session: the coordinator's latest heartbeat, its exchange, and the tasks under way."""

    heartbeat: CoordinatorHeartbeat
    exchange: Exchange
    tasks: set[asyncio.Task[None]] = field(default_factory=set)


class LentAgent:
    """Serves until `is_ending` returns true, and finishes its tasks then. `guard` is that of this
    machine: an address must be allowed by it and by the crawl's. `heartbeat` has its machine and
    number; its name is `name`. With a `proxy` all requests go through it; without, it serves no
    crawl whose requests have to go through one."""

    def __init__(
        self,
        broker: AgentBroker,
        name: str,
        heartbeat: AgentHeartbeat,
        guard: AddressGuard,
        is_ending: Callable[[], bool],
        proxy: Proxy | None = None,
    ) -> None:
        self._broker = broker
        self._name = name
        self._heartbeat = replace(heartbeat, code=broker.code, has_proxy=proxy is not None)
        self._guard = guard
        self._is_ending = is_ending
        self._proxy = proxy
        self._clock = Clock()
        self._redis = broker.connect()
        self._served: dict[str, _Served] = {}
        self._until = 0.0
        self._is_drained = False
        self._entries: set[tuple[str, bytes]] = set()
        self._unanswered: list[tuple[str, bytes]] = []
        self._malformed = 0
        self._meter = CpuMeter()
        self._load = AgentLoad()

    async def serve(self) -> None:
        """Returns once it has been ended, and has answered what it had taken."""
        helpers = [asyncio.create_task(work()) for work in (self._beats, self._watch, self._takes)]
        try:
            with garbage.collect_rarely():
                while not (self._is_ending() and not self._out):
                    for helper in helpers:
                        if helper.done():
                            helper.result()  # a defect of the program
                    await asyncio.sleep(LOOK_SECONDS)
        finally:
            await stop(*helpers)
            await self._leave()

    @property
    def _out(self) -> int:
        return sum(len(served.tasks) for served in self._served.values())

    async def _leave(self) -> None:
        for name in list(self._served):
            await self._drop(name)
        with suppress(*LOST):
            await self._redis.hdel(self._broker.agents, self._name)
        with suppress(*LOST):
            await self._redis.aclose()

    # Who may be believed -----------------------------------------------------------------------

    def _may_send(self, served: _Served) -> bool:
        """Whether this agent's heartbeat and its coordinator's hold."""
        return self._clock.is_set and self._clock.now() < min(self._until, served.heartbeat.until)

    async def _watch(self) -> None:
        """Drops tasks as soon as they may be given to somebody else."""
        while True:
            for served in self._served.values():
                if not self._may_send(served):
                    for task in served.tasks:
                        task.cancel()
            await asyncio.sleep(LOOK_SECONDS)

    async def _beats(self) -> None:
        while True:
            try:
                await self._beat()
            except LOST as error:
                log.info("Redis cannot be reached: %s", error)
            await asyncio.sleep(BEAT_SECONDS)

    async def _beat(self) -> None:
        broker = self._broker
        if not self._clock.is_set:
            requested = Clock.here()
            self._clock.set(requested, await self._redis.time())
        requested, until = Clock.here(), self._clock.now() + VALID_SECONDS
        async with self._redis.pipeline(transaction=False) as pipe:
            pipe.time()
            pipe.hset(broker.agents, self._name, self._new_heartbeat(until).text())
            pipe.hgetall(broker.sessions)
            pipe.sismember(broker.drained, self._name)
            given_up, self._unanswered = self._unanswered, []
            for name, entry in given_up:
                pipe.xack(broker.tasks(name), GROUP, entry)
                pipe.xdel(broker.tasks(name), entry)
            counted = self._malformed
            if counted:
                pipe.hincrby(broker.malformed, "tasks", counted)
            redis_time, noted, sessions, drained, *_ = await pipe.execute(raise_on_error=False)
        for answer_of in (redis_time, noted, sessions, drained):
            if isinstance(answer_of, Exception):
                raise answer_of
        self._malformed -= counted  # others may have been counted meanwhile
        if Clock.here() - requested > ANSWER_SECONDS:
            return  # suspended meanwhile: the answers are old
        self._clock.set(requested, redis_time)
        self._until, self._is_drained = until, bool(drained)
        await self._renew(read_sessions(sessions))

    def _new_heartbeat(self, until: float) -> AgentHeartbeat:
        state: State = "running"
        if self._is_drained or self._is_ending():
            state = "draining" if self._out else "drained"
        return replace(
            self._heartbeat,
            until=until,
            sent_at=self._clock.now(),
            state=state,
            out=self._out,
            serves=sorted(self._served),
            **self._load.measured(),
        )

    async def _renew(self, sessions: dict[str, CoordinatorHeartbeat]) -> None:
        """Takes up new sessions of this code, and drops those that have ended."""
        now, code = self._clock.now(), self._broker.code
        there = {
            name: heartbeat
            for name, heartbeat in sessions.items()
            if heartbeat.until > now and heartbeat.code == code and not heartbeat.is_closed
        }
        for name in set(self._served) - set(there):
            await self._drop(name)
        for name, heartbeat in there.items():
            if name in self._served:
                self._served[name].heartbeat = heartbeat
            else:
                await self._take_up(name, heartbeat)

    async def _take_up(self, name: str, heartbeat: CoordinatorHeartbeat) -> None:
        try:
            equipment = self._broker.unseal(bytes.fromhex(heartbeat.equipment), Equipment, name)
        except (BadSeal, ValueError):
            log.warning("a session in Redis is not of this site: %s", name)
            return
        if equipment.proxy is not None and self._proxy is None:
            return
        await make_group(self._redis, self._broker.tasks(name))
        guard = equipment.guard.narrowed(self._guard)
        own = replace(equipment, guard=guard, proxy=self._proxy)
        self._served[name] = _Served(heartbeat, HttpExchange(own))

    async def _drop(self, name: str) -> None:
        served = self._served.pop(name)
        for task in served.tasks:
            task.cancel()
        await asyncio.gather(*served.tasks, return_exceptions=True)
        await served.exchange.close()

    # Fetch tasks ---------------------------------------------------------------------------------

    async def _takes(self) -> None:
        """Takes as many tasks as there is room for, the same number of every session."""
        is_whole = True
        while True:
            room = self._heartbeat.room - self._out
            names = [name for name, served in self._served.items() if self._may_send(served)]
            if room <= 0 or not names or self._is_drained or self._is_ending():
                await asyncio.sleep(LOOK_SECONDS / 4)
                continue
            try:
                if not is_whole:
                    await self._give_up_unread(names)
                is_whole = False
                await self._take(names, max(1, room // len(names)))
                is_whole = True
            except LOST as error:
                log.info("no tasks: %s", error)
                await asyncio.sleep(LOOK_SECONDS)

    async def _give_up_unread(self, names: list[str]) -> None:
        """Gives up tasks that Redis has handed out over a connection that then broke."""
        for name in names:
            stream = self._broker.tasks(name)
            with suppress(ResponseError):
                for entry in await self._redis.xpending_range(
                    stream, GROUP, "-", "+", 10_000, consumername=self._name
                ):
                    if (name, entry["message_id"]) not in self._entries:
                        await self._redis.xack(stream, GROUP, entry["message_id"])
                        await self._redis.xdel(stream, entry["message_id"])

    async def _take(self, names: list[str], count: int) -> None:
        streams = {self._broker.tasks(name): ">" for name in names}
        try:
            read = await self._redis.xreadgroup(
                GROUP, self._name, streams, count=count, block=int(1000 * WAIT_SECONDS)
            )
        except ResponseError:  # Redis has lost its memory, or a session has just ended
            for name in names:
                await make_group(self._redis, self._broker.tasks(name))
            raise
        by_stream = {self._broker.tasks(name).encode(): name for name in names}
        for stream, entry, fields in entries_of(read):
            self._begin(by_stream[stream], entry, fields.get(b"task", b""))

    def _begin(self, name: str, entry: bytes, data: bytes) -> None:
        served = self._served.get(name)
        if served is not None:
            self._entries.add((name, entry))
            task = asyncio.create_task(self._run(name, served, entry, data))
            served.tasks.add(task)
            task.add_done_callback(served.tasks.discard)

    async def _run(self, name: str, served: _Served, entry: bytes, data: bytes) -> None:
        """Answers one task; one that is dropped is no longer this agent's from the next beat."""
        tasks, replies = self._broker.tasks(name), self._broker.replies(name)
        is_answered = False
        try:
            reply = await self._answer(name, served, entry, data)
            if reply is not None:
                self._load.count(name)
            async with self._redis.pipeline(transaction=True) as pipe:
                if reply is not None:
                    pipe.xadd(replies, {"reply": reply})
                pipe.xack(tasks, GROUP, entry)
                pipe.xdel(tasks, entry)
                await pipe.execute()
            is_answered = True
        except LOST as error:
            log.info("an answer was lost: %s", error)
        finally:
            self._entries.discard((name, entry))
            if not is_answered:
                self._unanswered.append((name, entry))

    async def _answer(self, name: str, served: _Served, entry: bytes, data: bytes) -> bytes | None:
        """The sealed reply, or None to a task that may not be begun any more or is malformed."""
        try:
            task = self._broker.unseal(data, FetchTask, name)
        except BadSeal:
            self._malformed += 1
            return None
        if entry != b"%d-1" % task.number:  # a copy of an earlier entry
            self._malformed += 1
            return None
        if not self._may_send(served) or self._clock.now() >= task.until:
            return None
        hop = task.hop._replace(started=task.hop.started + monotonic())
        reply = await answer(replace(task, hop=hop), served.exchange, self._meter)
        return self._broker.seal(reply, name)
