"""The messages between a coordinator and its agents, over a pair of sockets."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from apps.engine.agents.packing import packed
from apps.engine.model import Answer
from apps.engine.networking.exchange import Hop

_SIZE_BYTES = 4


@dataclass(frozen=True, slots=True)
class Errand:
    """A request for an agent to send. `layout`: the layout of the page is wanted too."""

    number: int
    hop: Hop
    layout: bool


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to the errand of that number, the seconds the request took, and the CPU seconds
    that the agent has used so far."""

    number: int
    answer: Answer
    seconds: float
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class Ready:
    """The agent has its equipment; its start took so many CPU seconds."""

    cpu_seconds: float


class Messages(asyncio.Protocol):
    """One end of the connection. Both ends run the same code and trust each other.

    `received` gets each message, `lost` is called when the other end is gone.
    """

    def __init__(
        self, received: Callable[[Any], None], lost: Callable[[], None] = lambda: None
    ) -> None:
        self._received = received
        self._lost = lost
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
        data = packed(message)
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
