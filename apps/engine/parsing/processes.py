"""Processes that read what must not block or harm the crawl: they can be killed.

A process reads pickled values from its standard input and writes a pickled reply to each.
"""

from __future__ import annotations

import asyncio
import pickle
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, BinaryIO

from apps.engine.kernel import processor_seconds

SIZE_BYTES = 8
# On few cores, what is read here must not slow down the others.
NICENESS = 10
_PIPE_BYTES = 2**22
PATIENCE = 20
"""After so many deadlines by the clock a process is killed, however little it could work."""
_LEAST_WAIT = 0.05
_LONGEST_END = 10.0
_ROOT = Path(__file__).parents[3]


class ParsingFailed(Exception):
    """The page was not read by its deadline, or crashed the process."""


class ProcessDied(ParsingFailed):
    """The process ended: what it read was too much for it, or somebody killed it (`was_killed`)."""

    def __init__(self, was_killed: bool) -> None:
        super().__init__("reading it took too much memory or time")
        self.was_killed = was_killed


class ProcessDeadline:
    """When a process is given up: after `seconds` of processor time by `used`, which on a busy
    machine come later than by the clock, and after PATIENCE times as many by the clock.

    `wait` is the time in seconds after which to ask next whether it has passed.
    """

    def __init__(self, seconds: float, used: Callable[[], float]) -> None:
        self.wait = seconds
        self._used = used
        self._last_used = used() + seconds
        self._last = time.monotonic() + PATIENCE * seconds

    def has_passed(self) -> bool:
        """Whether it has; sets `wait`."""
        left = self._last_used - self._used()
        self.wait = max(left, _LEAST_WAIT)
        return left <= 0 or time.monotonic() >= self._last


class Processes:
    """Up to `count` processes that run `module`, started when first needed and again after one has
    died or was killed.

    `deadline` is in seconds of processor time for a value: on a busy machine a process that works
    little of the time takes longer. Belongs to the event loop of its first value.
    """

    def __init__(self, module: str, count: int, deadline: float) -> None:
        self.deadline = deadline
        self._module = module
        self._slots = asyncio.Semaphore(count)
        self.idle: list[asyncio.subprocess.Process] = []

    async def run(self, value: object) -> Any:
        """The reply to a value. Raises ParsingFailed."""
        async with self._slots:
            process = self.idle.pop() if self.idle else await self._start()
            done = False
            try:
                reply = await self._reply_by_deadline(process, value)
                done = True
            except TimeoutError as error:
                raise ParsingFailed(f"not read within {self.deadline:g} s") from error
            except (EOFError, ConnectionError) as error:
                # A process whose pipe is closed has ended, or is about to.
                with suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), _LONGEST_END)
                raise ProcessDied(process.returncode == -signal.SIGKILL) from error
            finally:
                if done:
                    self.idle.append(process)
                else:
                    await self.end(process)
        return reply

    async def _reply_by_deadline(self, process: asyncio.subprocess.Process, value: object) -> Any:
        """The reply. Raises TimeoutError if the deadline passes first, EOFError or ConnectionError
        if the process has ended."""
        reply = asyncio.ensure_future(self.exchange(process, value))
        deadline = ProcessDeadline(self.deadline, lambda: self.seconds_of(process))
        try:
            while not (await asyncio.wait({reply}, timeout=deadline.wait))[0]:
                if deadline.has_passed():
                    raise TimeoutError
            return reply.result()
        finally:
            reply.cancel()
            await asyncio.wait({reply})

    def seconds_of(self, process: asyncio.subprocess.Process) -> float:
        """The processor time of the process, which counts towards the deadline."""
        return processor_seconds(process.pid)

    async def exchange(self, process: asyncio.subprocess.Process, value: object) -> Any:
        """Sends a value and receives its reply. Raises EOFError or ConnectionError if the process
        has ended."""
        await write_value(process, value)
        return await read_reply(process)

    async def end(self, process: asyncio.subprocess.Process) -> None:
        """Kills the process."""
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()

    async def close(self) -> None:
        """Ends the idle processes; busy ones end with their value's task."""
        while self.idle:
            await self.end(self.idle.pop())

    async def _start(self) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            self._module,
            cwd=_ROOT,
            stdin=pipe,
            stdout=pipe,
            limit=_PIPE_BYTES,
            start_new_session=True,
        )


async def write_value(process: asyncio.subprocess.Process, value: object) -> None:
    """Sends a value to a process. Raises ConnectionError if it has ended."""
    assert process.stdin is not None
    request = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    process.stdin.write(len(request).to_bytes(SIZE_BYTES))
    process.stdin.write(request)
    await process.stdin.drain()


async def read_reply(process: asyncio.subprocess.Process) -> Any:
    """The next value from a process. Raises IncompleteReadError (an EOFError) if it has ended."""
    assert process.stdout is not None
    size = int.from_bytes(await process.stdout.readexactly(SIZE_BYTES))
    return pickle.loads(await process.stdout.readexactly(size))


def serve(
    requests: BinaryIO,
    replies: BinaryIO,
    reply_to: Callable[[Any], Any],
    idle: float | None = None,
) -> None:
    """Replies to values one by one until `requests` ends, or nothing comes for `idle` seconds; run
    in the process itself.

    The next value comes after the reply, so that nothing waits unseen in the buffer.
    """
    while select.select([requests], [], [], idle)[0]:
        try:
            value = receive(requests)
        except EOFError:
            return
        send(replies, reply_to(value))


def send(stream: IO[bytes], value: object) -> None:
    """Writes a value."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    stream.write(len(data).to_bytes(SIZE_BYTES))
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Reads a value. Raises EOFError if the stream ends first."""
    size = stream.read(SIZE_BYTES)
    data = stream.read(int.from_bytes(size))
    if len(size) < SIZE_BYTES or len(data) < int.from_bytes(size):
        raise EOFError
    return pickle.loads(data)
