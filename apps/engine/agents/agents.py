"""The coordinator's side: which channel a request takes, and how lost agents are replaced."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from zlib import crc32

from apps.engine.agents.balance import Balance
from apps.engine.agents.channel import AgentChannel, AgentLost
from apps.engine.agents.pipe import PipeChannel
from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.model import Serving
from apps.engine.networking.exchange import Equipment, Hop, HttpExchange, Unanswered
from apps.engine.networking.page_store.records import with_body
from apps.engine.parsing.contexts.layout import Layout, LayoutLater, layout
from apps.engine.parsing.document import parse
from apps.engine.urls import host_of_canonical

if TYPE_CHECKING:  # Redis' library is needed only where machines share work
    from apps.engine.agents.stream import StreamChannel

log = logging.getLogger("crawlsite.agents")

SILENT_SECONDS = 30.0
"""An agent that owes an answer for so long after the request's own deadline is replaced."""
RESTART_SECONDS = 1.0
MOST_LOSSES = 20
LOCAL_FIRST = 8
"""So many tasks each agent of this machine has before agents of others get any."""
NOT_BELIEVED = frozenset(
    {
        Failure.DNS,
        Failure.CONNECT,
        Failure.TIMEOUT,
        Failure.TLS,
        Failure.CERTIFICATE,
        Failure.ADDRESS_REFUSED,
    }
)
"""What another machine cannot reach, this one may."""


class Agents:
    """An exchange over `count` agents of this machine, which are started once two requests are
    under way, and over those that other machines lend by `lent`.

    Belongs to the event loop of its first request. After twenty losses no agent is replaced.
    `given_again` counts requests that were handed out and lost.
    """

    def __init__(
        self,
        equipment: Equipment,
        count: int,
        silent: float = SILENT_SECONDS,
        lent: StreamChannel | None = None,
    ) -> None:
        self._equipment = equipment
        self._exchange = HttpExchange(equipment)
        self._count = count
        self._silent = silent
        self._lent = lent
        self._under_way = 0
        self._losses = 0
        self._cpu_of_the_lost = 0.0
        self._starts: list[asyncio.Task[None]] = []
        self.agents: list[PipeChannel | None] = [None] * count
        self.given_again = 0
        self._wants_layouts = False
        self._balance = Balance()

    async def start(self) -> None:
        """Returns when the agents are ready; requests do not wait for them."""
        self._begin()
        await asyncio.gather(*self._starts)

    async def send(self, hop: Hop) -> tuple[Answer, float]:
        """The answer to one request by an agent, or else from this process."""
        self._under_way += 1
        try:
            if self._lent is not None:
                await self._lent.open(self._equipment)
            if self._under_way > 1:
                self._begin()
            return await self._send(hop)
        finally:
            self._under_way -= 1

    async def resolve(self, host: str) -> str:
        """The first address of a host; see `Exchange.resolve`."""
        return await self._exchange.resolve(host)

    async def _send(self, hop: Hop) -> tuple[Answer, float]:
        channel = None if hop.again or hop.any_type else self._channel(hop)
        if channel is None:
            return await self._exchange.send(hop)
        try:
            reply = await channel.run(
                hop, self._wants_layouts, hop.seconds + self._silent, self._equipment.main_text
            )
        except AgentLost as error:
            self.given_again += 1
            if isinstance(channel, PipeChannel):
                self._replace(channel)
            raise Unanswered from error
        if channel is self._lent:
            return self._from_elsewhere(hop, reply.answer), reply.seconds
        return self._with_layout(reply.answer), reply.seconds

    def _channel(self, hop: Hop) -> AgentChannel | None:
        """The agent of the hop's host on this machine, or once it is busy those of other machines;
        None where neither can, or it is this process's turn (`Balance`)."""
        host = host_of_canonical(hop.url).encode()
        local = self.agents[crc32(host) % self._count] if self._count else None
        is_free = local is not None and local.under_way < LOCAL_FIRST
        if not is_free and self._lent is not None and self._under_way > 1 and self._lent.has_room():
            return self._lent
        if local is None or self._balance.keeps_next(self._count, self._local_cpu):
            return None
        return local

    def _from_elsewhere(self, hop: Hop, answer: Answer) -> Answer:
        if answer.failure in NOT_BELIEVED:
            self.given_again += 1
            raise Unanswered
        return self._with_layout(answer)

    @property
    def cpu_seconds(self) -> float:
        """The CPU time of all agents, by their last replies."""
        return self._local_cpu + (self._lent.cpu_seconds if self._lent else 0.0)

    @property
    def _local_cpu(self) -> float:
        return self._cpu_of_the_lost + sum(
            channel.cpu_seconds for channel in self.agents if channel
        )

    @property
    def serving(self) -> Serving:
        """The agents of this machine, and of others, that serve the crawl now."""
        local, lent = sum(agent is not None for agent in self.agents), self._lent
        if lent is None:
            return Serving(local, own_cpu=self._local_cpu)
        return Serving(local, lent.agents, self._local_cpu, lent.busy)

    async def close(self) -> None:
        """Ends the agents, and closes the connections of this process."""
        for start in self._starts:
            start.cancel()
        await asyncio.gather(*self._starts, return_exceptions=True)
        for channel in filter(None, (*self.agents, self._lent)):
            await channel.end()
        await self._exchange.close()

    def _begin(self) -> None:
        if not self._starts:
            self._starts = [asyncio.create_task(self._start(i, 0.0)) for i in range(self._count)]

    async def _start(self, index: int, after: float) -> None:
        await asyncio.sleep(after)
        agent = PipeChannel()
        try:
            await agent.start(self._equipment)
        except AgentLost:
            log.warning("an agent did not start")
            await agent.end()
            return
        except asyncio.CancelledError:
            await agent.end()
            raise
        self.agents[index] = agent

    def _replace(self, agent: PipeChannel) -> None:
        """Starts another agent instead of a lost one; the first task that it lost does."""
        if agent not in self.agents:
            return
        index = self.agents.index(agent)
        self.agents[index] = None
        self._losses += 1
        self._cpu_of_the_lost += agent.cpu_seconds
        log.warning("an agent was lost; its requests are sent again")
        self._starts[index] = asyncio.create_task(self._succeed(index, agent))

    async def _succeed(self, index: int, lost: PipeChannel) -> None:
        await lost.end()
        if self._losses < MOST_LOSSES:
            await self._start(index, RESTART_SECONDS)

    def _with_layout(self, answer: Answer) -> Answer:
        """The answer; its page's layout is made here on demand, and from then on by the agents."""
        document = answer.document
        if document is not None and isinstance(document.tree, LayoutLater):
            document.tree.make = partial(self._lay_out, replace(answer, document=None))
        return answer

    def _lay_out(self, answer: Answer) -> Layout:
        self._wants_layouts = True
        return layout(parse(with_body(answer)))
