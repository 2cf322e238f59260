"""The crawl's side of rendering: hands pages to the process and answers their requests."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from apps.engine.answers import Answer
from apps.engine.kernel import processor_seconds_of_tree
from apps.engine.networking.page_store.records import with_body
from apps.engine.parsing.processes import ParsingFailed, Processes, read_reply, write_value
from apps.engine.parsing.rendering.availability import chromium_path
from apps.engine.parsing.rendering.messages import (
    DEADLINE_SECONDS,
    MEMORY_BYTES,
    PartAnswer,
    PartRequest,
    RenderedPage,
    RenderingCost,
    RenderOrder,
)

FetchPart = Callable[[str], Awaitable[Answer]]
MODULE = "apps.engine.parsing.rendering.process"


class Renderer(Processes):
    """Renders pages in one process, one after the other. `fetch_part` answers the requests that
    they make; `deadline` is in seconds by the clock a page, `memory` in bytes."""

    def __init__(
        self,
        user_agent: str,
        fetch_part: FetchPart,
        deadline: float = DEADLINE_SECONDS,
        memory: int = MEMORY_BYTES,
    ) -> None:
        super().__init__(MODULE, 1, deadline)
        self._user_agent = user_agent
        self._fetch_part = fetch_part
        self.memory = memory
        self._cost = RenderingCost()
        self._processor_seconds: dict[int, float] = {}

    def take_cost(self) -> RenderingCost:
        """The cost of rendering since the last call. A process that crashed is counted up to the
        page before."""
        cost, self._cost = self._cost, RenderingCost()
        return cost

    async def render(self, answer: Answer) -> RenderedPage | None:
        """The page once its scripts have run; None if that could not be seen: the process died, was
        killed, or took too long."""
        whole = with_body(answer)
        order = RenderOrder(
            answer.final_url,
            answer.status or 200,
            answer.headers,
            whole.body,
            self._user_agent,
            chromium_path(),
            self.memory,
        )
        try:
            rendered: RenderedPage = await self.run(order)
        except ParsingFailed:
            return None
        return rendered

    def seconds_of(self, process: asyncio.subprocess.Process) -> float:
        """The time by the clock: the work is Chromium's, and it may wait for answers."""
        return time.monotonic()

    async def exchange(self, process: asyncio.subprocess.Process, value: object) -> RenderedPage:
        """Sends an order and answers requests until the page comes."""
        tasks: set[asyncio.Task[None]] = set()
        begun = time.monotonic()
        try:
            await write_value(process, value)
            while not isinstance(message := await read_reply(process), RenderedPage):
                task = asyncio.create_task(self._answer(process, message))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
        finally:
            for task in tasks:
                task.cancel()
            self._count_cost(process.pid, time.monotonic() - begun)
        return message

    def _count_cost(self, pid: int, seconds: float) -> None:
        counted = self._processor_seconds.get(pid, 0.0)
        used = max(counted, processor_seconds_of_tree(pid))
        self._processor_seconds = {pid: used}
        processor, clock = self._cost
        self._cost = RenderingCost(processor + used - counted, clock + seconds)

    async def _answer(self, process: asyncio.subprocess.Process, request: PartRequest) -> None:
        answer = await self._fetch_part(request.url)
        part = PartAnswer(request.number, 0)
        if not answer.failure and answer.status:
            part = PartAnswer(request.number, answer.status, answer.headers, answer.body)
        with suppress(ConnectionError):  # the process may be gone meanwhile
            await write_value(process, part)

    async def end(self, process: asyncio.subprocess.Process) -> None:
        """Kills the process and its driver; Chromium ends when its pipe does."""
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
