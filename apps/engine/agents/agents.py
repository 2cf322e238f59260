"""The coordinator's side: agents are started, given requests, and replaced when they are lost."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from zlib import crc32

from apps.engine.agents.messages import Errand, Messages, Ready, Reply
from apps.engine.model import Answer
from apps.engine.networking.exchange import Equipment, Hop, HttpExchange
from apps.engine.parsing.contexts.layout import Layout, LayoutLater, layout
from apps.engine.parsing.document import parse
from apps.engine.urls import host

log = logging.getLogger("crawlsite.agents")

SILENT_SECONDS = 30.0
"""An agent that owes an answer for so long after the request's own deadline is replaced."""
RESTART_SECONDS = 1.0
MOST_LOSSES = 20
_ROOT = Path(__file__).parents[3]


class AgentLost(Exception):
    """The agent ended, or did not answer, before it had done its errand."""


class Agents:
    """An exchange over `count` agents, which are started once two requests are under way.

    Belongs to the event loop of its first request. After twenty losses no agent is replaced.
    """

    def __init__(self, equipment: Equipment, count: int, silent: float = SILENT_SECONDS) -> None:
        self._equipment = equipment
        self._own = HttpExchange(equipment)
        self._count = count
        self._silent = silent
        self._under_way = 0
        self._losses = 0
        self._cpu_of_the_lost = 0.0
        self._starts: list[asyncio.Task[None]] = []
        self.agents: list[_Agent | None] = [None] * count
        self._wants_layouts = False

    async def start(self) -> None:
        """Returns when the agents are ready; requests do not wait for them."""
        self._begin()
        await asyncio.gather(*self._starts)

    async def send(self, hop: Hop) -> tuple[Answer, float]:
        """The answer to one request by the agent of its host, or else from this process."""
        self._under_way += 1
        try:
            if self._under_way > 1:
                self._begin()
            return await self._send(hop)
        finally:
            self._under_way -= 1

    async def _send(self, hop: Hop) -> tuple[Answer, float]:
        place = crc32(host(hop.url).encode()) % self._count
        agent = self.agents[place]
        if agent is None:
            return await self._own.send(hop)
        try:
            reply = await agent.run(hop, self._wants_layouts, hop.seconds + self._silent)
        except AgentLost:
            self._replace(place, agent)
            return await self._own.send(hop)
        return self._with_layout(reply.answer), reply.seconds

    @property
    def cpu_seconds(self) -> float:
        """The CPU time of all agents, as they said with their last replies."""
        return self._cpu_of_the_lost + sum(agent.cpu_seconds for agent in self.agents if agent)

    async def close(self) -> None:
        """Ends the agents, and closes the connections of this process."""
        for start in self._starts:
            start.cancel()
        await asyncio.gather(*self._starts, return_exceptions=True)
        for agent in filter(None, self.agents):
            await agent.end()
        await self._own.close()

    def _begin(self) -> None:
        if not self._starts:
            self._starts = [asyncio.create_task(self._start(i, 0.0)) for i in range(self._count)]

    async def _start(self, place: int, after: float) -> None:
        await asyncio.sleep(after)
        agent = _Agent()
        try:
            await agent.start(self._equipment)
        except AgentLost:
            log.warning("an agent did not start")
            await agent.end()
            return
        except asyncio.CancelledError:
            await agent.end()
            raise
        self.agents[place] = agent

    def _replace(self, place: int, agent: _Agent) -> None:
        """Starts another agent in place of a lost one; the first errand that it lost does."""
        if self.agents[place] is not agent:
            return
        self.agents[place] = None
        self._losses += 1
        self._cpu_of_the_lost += agent.cpu_seconds
        log.warning("an agent was lost; its requests are sent again")
        self._starts[place] = asyncio.create_task(self._succeed(place, agent))

    async def _succeed(self, place: int, lost: _Agent) -> None:
        await lost.end()
        if self._losses < MOST_LOSSES:
            await self._start(place, RESTART_SECONDS)

    def _with_layout(self, answer: Answer) -> Answer:
        """The answer; its page's layout is made here when it is asked for, and from then on by the
        agents."""
        document = answer.document
        if document is not None and isinstance(document.tree, LayoutLater):
            document.tree.make = partial(self._lay_out, answer)
        return answer

    def _lay_out(self, answer: Answer) -> Layout:
        self._wants_layouts = True
        return layout(parse(answer))


class _Agent:
    """One agent's process, and the errands that it has not answered."""

    def __init__(self) -> None:
        self._messages = Messages(self._take, self._lose)
        self._waiting: dict[int, asyncio.Future[Reply]] = {}
        self._numbers = count()
        self._ready: asyncio.Future[None] | None = None
        self._is_lost = False
        self.cpu_seconds = 0.0
        self.process: asyncio.subprocess.Process | None = None

    async def start(self, equipment: Equipment) -> None:
        """Returns when the agent is ready. Raises AgentLost if it ends before."""
        loop = asyncio.get_running_loop()
        self._ready = loop.create_future()
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        with theirs:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "apps.engine.agents.process", str(theirs.fileno()),
                cwd=_ROOT, stdin=asyncio.subprocess.DEVNULL, pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        await loop.create_connection(lambda: self._messages, sock=ours)
        self._messages.send(equipment)
        await self._ready

    async def run(self, hop: Hop, layout: bool, seconds: float) -> Reply:
        """The reply of the agent. Raises AgentLost if it is gone or silent for so long."""
        if self._is_lost:
            raise AgentLost
        number = next(self._numbers)
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[number] = reply
        try:
            self._messages.send(Errand(number, hop, layout))
            async with asyncio.timeout(seconds):
                return await reply
        except TimeoutError as error:
            raise AgentLost from error
        finally:
            del self._waiting[number]

    async def end(self) -> None:
        """Ends the process and fails its errands."""
        self._messages.close()
        self._lose()
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()

    def _take(self, reply: Reply | Ready) -> None:
        self.cpu_seconds = reply.cpu_seconds
        if isinstance(reply, Ready):
            assert self._ready is not None
            self._ready.set_result(None)
            return
        waiting = self._waiting.get(reply.number)
        if waiting is not None and not waiting.done():
            waiting.set_result(reply)

    def _lose(self) -> None:
        self._is_lost = True
        for waiting in (self._ready, *self._waiting.values()):
            if waiting is not None and not waiting.done():
                waiting.set_exception(AgentLost())
