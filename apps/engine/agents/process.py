"""The process of an agent on its crawl's machine: `python -m apps.engine.agents.process FD`.

It sends the requests it is given over its own connections, parses pages and packs their records. It
ends with its coordinator, whose socket is FD.
"""

from __future__ import annotations

import asyncio
import socket
import sys

from apps.engine import garbage
from apps.engine.agents.answering import CpuMeter, answer
from apps.engine.agents.messages import Errand, Ready
from apps.engine.agents.pipe import Messages
from apps.engine.networking.exchange import Equipment, HttpExchange


class Agent:
    """Answers the errands of one coordinator, which sends the equipment first."""

    def __init__(self, ended: asyncio.Future[None]) -> None:
        self.messages = Messages(self._begin, self._end)
        self._ended = ended
        self._meter = CpuMeter()
        self._errands: set[asyncio.Task[None]] = set()
        self._exchange: HttpExchange | None = None

    def _begin(self, message: Equipment | Errand) -> None:
        if isinstance(message, Equipment):
            self._exchange = HttpExchange(message)
            self.messages.send(Ready(self._meter.read()))
            return
        errand = asyncio.create_task(self._run(message))
        self._errands.add(errand)
        errand.add_done_callback(self._finish)

    def _end(self) -> None:
        if not self._ended.done():
            self._ended.set_result(None)

    def _finish(self, errand: asyncio.Task[None]) -> None:
        """Ends the process after a defect of the program: the coordinator meets it then."""
        self._errands.discard(errand)
        if (error := errand.exception()) is not None and not self._ended.done():
            self._ended.set_exception(error)

    async def _run(self, errand: Errand) -> None:
        assert self._exchange is not None
        self.messages.send(await answer(errand, self._exchange, self._meter))


async def serve(connection: socket.socket) -> None:
    """Answers errands until the coordinator is gone."""
    loop = asyncio.get_running_loop()
    ended = loop.create_future()
    agent = Agent(ended)
    await loop.create_connection(lambda: agent.messages, sock=connection)
    with garbage.seldom_sought():
        await ended


if __name__ == "__main__":
    asyncio.run(serve(socket.socket(fileno=int(sys.argv[1]))))
