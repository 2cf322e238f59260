"""The process of an agent on its crawl's machine: `python -m apps.engine.agents.process FD`.

It sends the requests it is given over its own connections, parses pages and packs their records. It
ends with its coordinator, whose socket is FD.
"""

from __future__ import annotations

import asyncio
import socket
import sys
import time
from collections import deque
from collections.abc import Coroutine
from typing import Any

from apps.engine import garbage, series
from apps.engine.agents.answering import CpuMeter, reply_to
from apps.engine.agents.messages import FetchTask, Ready
from apps.engine.agents.pipe import Messages
from apps.engine.agents.wording import AgentNumbers
from apps.engine.answers import Answer
from apps.engine.networking.exchange import Equipment, HttpExchange


class Agent:
    """Answers the tasks of one coordinator, which sends the equipment first."""

    def __init__(self, ended: asyncio.Future[None]) -> None:
        self.messages = Messages(self._begin, self._end, AgentNumbers())
        self._ended = ended
        self._meter = CpuMeter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._answered: deque[tuple[FetchTask, Answer, float]] = deque()
        self._is_reading = False
        self._exchange: HttpExchange | None = None

    def _begin(self, message: Equipment | FetchTask) -> None:
        if isinstance(message, Equipment):
            self._exchange = HttpExchange(message)
            self.messages.send(Ready(self._meter.read()))
            return
        self._start(self._run(message))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _end(self) -> None:
        if not self._ended.done():
            self._ended.set_result(None)

    async def close(self) -> None:
        """Ends its work and closes its connections."""
        for task in (tasks := tuple(self._tasks)):
            task.remove_done_callback(self._finish)
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._exchange is not None:
            await self._exchange.close()

    def _finish(self, task: asyncio.Task[None]) -> None:
        """Ends the process after a defect of the program: the coordinator meets it then."""
        self._tasks.discard(task)
        if (error := task.exception()) is not None and not self._ended.done():
            self._ended.set_exception(error)

    async def _run(self, task: FetchTask) -> None:
        assert self._exchange is not None
        answer, seconds = await self._exchange.send(task.hop)
        self._answered.append((task, answer, seconds))
        if not self._is_reading:
            self._is_reading = True
            self._start(self._read())

    async def _read(self) -> None:
        """Reads the answers that have come in a series, and then those that came meanwhile."""
        while self._answered:
            await series.gather()
            ends = time.monotonic() + series.LONGEST
            while self._answered and time.monotonic() < ends:
                self.messages.send(reply_to(*self._answered.popleft(), self._meter))
        self._is_reading = False


async def serve(connection: socket.socket) -> None:
    """Answers tasks until the coordinator is gone."""
    loop = asyncio.get_running_loop()
    ended = loop.create_future()
    agent = Agent(ended)
    await loop.create_connection(lambda: agent.messages, sock=connection)
    try:
        with garbage.collect_rarely():
            await ended
    finally:
        await agent.close()


if __name__ == "__main__":
    asyncio.run(serve(socket.socket(fileno=int(sys.argv[1]))))
