"""The channel to the agents of other machines: one stream of tasks for whoever is free."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import Any

from apps.engine.agents.broker import (
    BEAT_SECONDS,
    GROUP,
    MARGIN_SECONDS,
    STREAM_SECONDS,
    TAKEN_WITHIN,
    VALID_SECONDS,
    AgentBroker,
    AgentHeartbeat,
    BadSeal,
    Clock,
    CoordinatorHeartbeat,
    entries_of,
    make_group,
    read_agents,
    read_sessions,
    stop,
)
from apps.engine.agents.channel import AgentChannel, AgentLost
from apps.engine.agents.losses import LOST
from apps.engine.agents.messages import FetchTask, Reply
from apps.engine.networking.exchange import Equipment
from apps.engine.networking.proxy import Proxy

log = logging.getLogger("crawlsite.agents")

READ_AT_ONCE = 64
READ_SECONDS = 1.0


class StreamChannel(AgentChannel):
    """The tasks of one session of a crawl, `crawl.epoch`, in Redis.

    A task is lost once nobody can begin or finish it any more: its taker is gone, or nobody took
    it in time, or Redis has not answered for so long that every agent has stopped by itself. The
    number of a task is that of its entry in the stream, so none is ever written twice. `agents`
    are those that take requests now, `busy` the share of their time that they are.
    """

    def __init__(self, broker: AgentBroker, session: str) -> None:
        super().__init__()
        self._broker = broker
        self._session = session
        self._clock = Clock()
        self._redis = broker.connect()
        self._tasks: list[asyncio.Task[None]] = []
        self._opened = asyncio.Event()
        self._is_connected = False
        self._valid_until = 0.0  # the end of the last heartbeat that agents may have read
        self._begin_by: dict[int, float] = {}
        self._missed: dict[int, float] = {}
        self._lost: list[int] = []
        self._lost_by: dict[int, str] = {}
        self._counts: dict[str, Counter[str]] = {
            broker.given_again: Counter(),
            broker.late: Counter(),
            broker.malformed: Counter(),
        }
        self._unwritten: list[FetchTask] = []
        self._to_write = asyncio.Event()
        self._read_to = b"0"
        self._room = 0
        self._sealed = ""
        self._needs_proxy = False
        self.agents = 0
        self.busy = 0.0

    async def open(self, equipment: Equipment) -> None:
        """Returns once no agent can send a request of an earlier session of the same crawl."""
        if not self._tasks:
            self._needs_proxy = equipment.proxy is not None
            self._sealed = self._broker.seal(_without_address(equipment), self._session).hex()
            self._tasks = [
                asyncio.create_task(work()) for work in (self._keep_session, self._write)
            ]
        for task in self._tasks:
            if task.done():
                task.result()  # a defect of the program is met here
        if not self._opened.is_set():
            await self._opened.wait()

    def has_room(self) -> bool:
        """Whether the agents take another request of this crawl."""
        return self._is_connected and self.under_way < self._room

    async def end(self) -> None:
        """Ends the session; agents drop what they do for it."""
        await stop(*self._tasks)
        self._lose(self._waiting)
        with suppress(*LOST):
            if self._clock.is_set:
                await self._close()
        with suppress(*LOST):
            await self._redis.aclose()

    async def _close(self) -> None:
        """A session with requests out leaves its heartbeat, so that the next one waits for their
        end."""
        broker = self._broker
        async with self._redis.pipeline(transaction=False) as pipe:
            if self._begin_by:
                session = CoordinatorHeartbeat(self._valid_until, broker.code, is_closed=True)
                pipe.hset(broker.sessions, self._session, session.text())
            else:
                pipe.hdel(broker.sessions, self._session)
            pipe.delete(broker.tasks(self._session), broker.replies(self._session))
            await pipe.execute()

    # Fetch tasks and replies ---------------------------------------------------------------------

    def _give(self, task: FetchTask) -> None:
        if not self._is_connected:
            raise AgentLost
        until = self._clock.now() + TAKEN_WITHIN
        self._begin_by[task.number] = until
        # A monotonic time means nothing elsewhere: what has passed since travels instead.
        hop = task.hop._replace(started=task.hop.started - monotonic())
        self._unwritten.append(replace(task, hop=hop, until=until))
        self._to_write.set()

    def _forget(self, number: int) -> None:
        self._begin_by.pop(number, None)
        self._missed.pop(number, None)

    def _take(self, reply: Reply) -> None:
        if (holder := self._lost_by.pop(reply.number, None)) is not None:
            self._counts[self._broker.late][holder] += 1
        super()._take(reply)

    async def _write(self) -> None:
        """Writes the tasks gathered since the last write, in one round trip."""
        stream = self._broker.tasks(self._session)
        while True:
            await self._to_write.wait()
            self._to_write.clear()
            tasks, self._unwritten = self._unwritten, []
            with suppress(*LOST):
                async with self._redis.pipeline(transaction=False) as pipe:
                    for task in tasks:
                        data = {"task": self._broker.seal(task, self._session)}
                        pipe.xadd(stream, data, id=f"{task.number}-1")
                    await pipe.execute(raise_on_error=False)

    async def _read(self) -> None:
        """Takes replies until the connection is lost."""
        stream = self._broker.replies(self._session)
        while True:
            read = await self._redis.xread(
                {stream: self._read_to}, count=READ_AT_ONCE, block=int(1000 * READ_SECONDS)
            )
            for _, entry, fields in entries_of(read):
                self._read_to = entry
                self._unseal(fields.get(b"reply", b""))
                await asyncio.sleep(0)

    def _unseal(self, data: bytes) -> None:
        """Takes a reply of this session; anything else is skipped and counted."""
        try:
            reply = self._broker.unseal(data, Reply, self._session)
        except BadSeal:
            self._counts[self._broker.malformed]["replies"] += 1
        else:
            self._take(reply)

    # Beats -------------------------------------------------------------------------------------

    async def _keep_session(self) -> None:
        """Keeps the session in Redis, and opens it again after Redis was lost."""
        begun = Clock.here()
        while True:
            reading: asyncio.Task[None] | None = None
            try:
                await self._enter()
                reading = asyncio.create_task(self._read())
                reading.add_done_callback(_mark_seen)  # the beat may have lost Redis first
                while not reading.done():
                    await self._beat()
                    await asyncio.wait((reading,), timeout=BEAT_SECONDS)
                reading.result()
            except LOST as error:
                if self._is_connected:
                    log.warning("Redis cannot be reached; requests are sent from here: %s", error)
            finally:
                self._is_connected = False
                self.agents = 0
                if reading is not None:
                    await stop(reading)
            if Clock.here() - begun > VALID_SECONDS + MARGIN_SECONDS:
                self._opened.set()  # whatever was there before has stopped by itself
            if self._clock.is_set:
                self._lose_all_after(self._valid_until)
            await asyncio.sleep(BEAT_SECONDS)

    async def _enter(self) -> None:
        """Sets the clock, makes the stream, and ends earlier sessions of the crawl."""
        broker, requested = self._broker, Clock.here()
        self._clock.set(requested, await self._redis.time())
        await make_group(self._redis, broker.tasks(self._session))
        if self._opened.is_set():
            return
        crawl = self._session.rpartition(".")[0]
        sessions = read_sessions(await self._redis.hgetall(broker.sessions))
        earlier = {
            name: session
            for name, session in sessions.items()
            if name.rpartition(".")[0] == crawl and name != self._session
        }
        if earlier:
            await self._redis.hdel(broker.sessions, *earlier)
            streams = [key(name) for name in earlier for key in (broker.tasks, broker.replies)]
            await self._redis.delete(*streams)
            quiet = max(session.until for session in earlier.values()) + MARGIN_SECONDS
            await asyncio.sleep(max(0.0, quiet - self._clock.now()))
        self._opened.set()

    async def _beat(self) -> None:
        """Renews this coordinator's heartbeat, and reads the agents' and the holders of tasks."""
        broker, requested = self._broker, Clock.here()
        tasks, replies = broker.tasks(self._session), broker.replies(self._session)
        self._valid_until = self._clock.now() + VALID_SECONDS
        session = CoordinatorHeartbeat(self._valid_until, broker.code, self._sealed, self.under_way)
        async with self._redis.pipeline(transaction=False) as pipe:
            pipe.time()
            pipe.hset(broker.sessions, self._session, session.text())
            pipe.hgetall(broker.agents)
            pipe.hgetall(broker.sessions)
            pipe.xpending_range(tasks, GROUP, "-", "+", 10_000)
            pipe.xtrim(replies, minid=self._read_to, approximate=False)
            pipe.expire(tasks, STREAM_SECONDS)
            pipe.expire(replies, STREAM_SECONDS)
            written = {key: counted.copy() for key, counted in self._counts.items()}
            for key, counted in written.items():
                for name, number in counted.items():
                    pipe.hincrby(key, name, number)
            if self._lost:
                entries = [f"{number}-1" for number in self._lost]
                pipe.xack(tasks, GROUP, *entries)
                pipe.xdel(tasks, *entries)
            redis_time, _, agents, sessions, pending, *_ = await pipe.execute(raise_on_error=False)
        for answer in (redis_time, agents, sessions):
            if isinstance(answer, Exception):
                raise answer
        self._clock.set(requested, redis_time)
        for key, counted in written.items():
            self._counts[key] -= counted  # more may have been counted meanwhile
        if isinstance(pending, Exception):  # Redis has lost its memory
            pending = []
            await make_group(self._redis, tasks)
        heartbeats = read_agents(agents)
        self._count(heartbeats, read_sessions(sessions))
        self._settle(
            heartbeats,
            {_number(entry): entry["consumer"].decode(errors="replace") for entry in pending},
        )
        self._is_connected = True

    def _count(
        self, agents: dict[str, AgentHeartbeat], sessions: dict[str, CoordinatorHeartbeat]
    ) -> None:
        """Counts the agents, and this crawl's fair share of the requests that they take."""
        now, code = self._clock.now(), self._broker.code
        there = [
            heartbeat
            for heartbeat in agents.values()
            if heartbeat.until > now
            and heartbeat.code == code
            and heartbeat.takes
            and (heartbeat.has_proxy or not self._needs_proxy)
        ]
        crawls = sum(
            heartbeat.until > now and not heartbeat.is_closed for heartbeat in sessions.values()
        )
        self.agents = len(there)
        self.busy = sum(heartbeat.busy for heartbeat in there) / len(there) if there else 0.0
        self._room = -(-sum(heartbeat.takes for heartbeat in there) // max(1, crawls))

    def _settle(self, agents: dict[str, AgentHeartbeat], holders: dict[int, str]) -> None:
        """Settles the tasks that nobody will answer.

        One that is neither waiting nor with an agent may have been answered just now, and its reply
        not been read, so it counts as lost only a while later.
        """
        now, lost = self._clock.now(), []
        for number, begin_by in self._begin_by.items():
            holder = holders.get(number)
            heartbeat = agents.get(holder) if holder else None
            if heartbeat is not None and heartbeat.until + MARGIN_SECONDS > now:
                self._missed.pop(number, None)
                continue
            since = self._missed.setdefault(number, now)
            if now > max(begin_by, since) + MARGIN_SECONDS:
                lost.append(number)
                if holder:
                    self._lost_by[number] = holder
                    self._counts[self._broker.given_again][holder] += 1
        if lost:
            log.warning("%s requests to agents of other machines were lost", len(lost))
        self._lost = lost
        self._lose(lost)

    def _lose_all_after(self, until: float) -> None:
        """Fails all tasks, without Redis, once the last heartbeat has ended for every agent."""
        latest = max([until, *self._begin_by.values()])
        if self._clock.now() > latest + MARGIN_SECONDS:
            self._lose(self._begin_by)


def _number(entry: dict[str, Any]) -> int:
    return int(entry["message_id"].partition(b"-")[0])


def _mark_seen(task: asyncio.Task[None]) -> None:
    """Keeps asyncio from reporting an exception that nobody awaits."""
    if not task.cancelled():
        task.exception()


def _without_address(equipment: Equipment) -> Equipment:
    """A copy for other machines, without the address of the proxy, which may have a password."""
    return replace(equipment, proxy=equipment.proxy and Proxy(""))
