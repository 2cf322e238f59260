"""The connection that carries tasks to agents and their replies back, and the tasks in flight
on it."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterable
from itertools import count

from apps.engine.agents.messages import FetchTask, Reply
from apps.engine.networking.exchange import Hop


class AgentLost(Exception):
    """The agent ended, or did not answer, before it had done its task."""


class AgentChannel(ABC):
    """Gives tasks out and takes every reply once, by its number. `cpu_seconds` are those of the
    agents so far."""

    def __init__(self) -> None:
        self.cpu_seconds = 0.0
        self._waiting: dict[int, asyncio.Future[Reply]] = {}
        self._numbers = count(1)

    @property
    def under_way(self) -> int:
        """The tasks that are not answered."""
        return len(self._waiting)

    async def run(self, hop: Hop, layout: bool, seconds: float, main_text: bool = False) -> Reply:
        """The reply of an agent; see `FetchTask`. Raises AgentLost if it is gone or silent for so
        long."""
        number = next(self._numbers)
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[number] = reply
        try:
            self._give(FetchTask(number, hop, layout, main_text=main_text))
            async with asyncio.timeout(seconds):
                return await reply
        except TimeoutError as error:
            raise AgentLost from error
        finally:
            del self._waiting[number]
            self._forget(number)

    @abstractmethod
    def _give(self, task: FetchTask) -> None:
        """Sends a task on its way. Raises AgentLost if nobody is there."""

    @abstractmethod
    async def end(self) -> None:
        """Ends the channel and fails its tasks."""

    def _forget(self, number: int) -> None:
        """Removes the task of that number from those under way."""
        return None

    def _take(self, reply: Reply) -> None:
        """Takes a reply; one that comes twice or too late has a number that is no longer under
        way."""
        self.cpu_seconds += reply.cpu_seconds
        waiting = self._waiting.get(reply.number)
        if waiting is not None and not waiting.done():
            waiting.set_result(reply)

    def _lose(self, numbers: Iterable[int]) -> None:
        """Fails those tasks with AgentLost."""
        for number in list(numbers):
            waiting = self._waiting.get(number)
            if waiting is not None and not waiting.done():
                waiting.set_exception(AgentLost())
