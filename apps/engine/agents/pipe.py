"""The channel to an agent on this machine: a process of its own at the other end of two sockets."""

from __future__ import annotations

import asyncio
import pickle
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from apps.engine.agents.channel import AgentChannel, AgentLost
from apps.engine.agents.messages import FetchTask, Ready, Reply
from apps.engine.agents.packing import packed
from apps.engine.agents.wording import AgentNumbers, CoordinatorWords
from apps.engine.networking.exchange import Equipment

_SIZE_BYTES = 4
_ROOT = Path(__file__).parents[3]


class Messages(asyncio.Protocol):
    """One end of the connection. Both ends run the same code and trust each other.

    `received` gets each message, `lost` is called when the other end is gone. With `numbers` the
    words of the pages that are sent are numbered.
    """

    def __init__(
        self,
        received: Callable[[Any], None],
        lost: Callable[[], None] = lambda: None,
        numbers: AgentNumbers | None = None,
    ) -> None:
        self._received = received
        self._lost = lost
        self._numbers = numbers
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        self._lost()

    def send(self, message: object) -> None:
        """Sends a message; it is dropped if the other end is gone."""
        assert self._transport is not None
        data = packed(message, self._numbers)
        self._transport.write(len(data).to_bytes(_SIZE_BYTES) + data)

    def close(self) -> None:
        """Ends the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer
        buffer += data
        while len(buffer) >= _SIZE_BYTES:
            end = _SIZE_BYTES + int.from_bytes(buffer[:_SIZE_BYTES])
            if len(buffer) < end:
                return
            message = pickle.loads(memoryview(buffer)[_SIZE_BYTES:end].toreadonly())
            del buffer[:end]
            self._received(message)


class PipeChannel(AgentChannel):
    """One agent's process, and the tasks that it has not answered."""

    def __init__(self) -> None:
        super().__init__()
        self._messages = Messages(self._receive, self._end)
        self._ready: asyncio.Future[None] | None = None
        self._is_lost = False
        self._words = CoordinatorWords()
        self.process: asyncio.subprocess.Process | None = None

    async def start(self, equipment: Equipment) -> None:
        """Returns when the agent is ready. Raises AgentLost if it ends before."""
        loop = asyncio.get_running_loop()
        self._ready = loop.create_future()
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        with theirs:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "apps.engine.agents.process",
                str(theirs.fileno()),
                cwd=_ROOT,
                stdin=asyncio.subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        await loop.create_connection(lambda: self._messages, sock=ours)
        self._messages.send(equipment)
        await self._ready

    async def end(self) -> None:
        """Ends the process and fails its tasks."""
        self._messages.close()
        self._end()
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()

    def _give(self, task: FetchTask) -> None:
        if self._is_lost:
            raise AgentLost
        self._messages.send(task)

    def _receive(self, message: Reply | Ready) -> None:
        if isinstance(message, Reply):
            self._words.enter(message.answer.document)
            self._take(message)
            return
        assert self._ready is not None
        self.cpu_seconds += message.cpu_seconds
        self._ready.set_result(None)

    def _end(self) -> None:
        self._is_lost = True
        if self._ready is not None and not self._ready.done():
            self._ready.set_exception(AgentLost())
        self._lose(self._waiting)
