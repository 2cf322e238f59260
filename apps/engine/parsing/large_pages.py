"""Parses large pages in separate processes, so that one page cannot block a crawl.

A page with many tags takes a second and a hundred megabytes, and libxml2 cannot be interrupted. A
process can be killed: a page that is not parsed by its deadline becomes a failure.
"""

from __future__ import annotations

import asyncio
import pickle
import sys
from contextlib import suppress
from pathlib import Path

from apps.engine.model import Answer, Document

LARGE_BODY = 512 * 1024
LARGE_TAGS = 10_000
SHORTEST_TAG = len("<b>")
PROCESSES = 2
DEADLINE_SECONDS = 60.0
SIZE_BYTES = 8
_PIPE_BYTES = 2**22
_ROOT = Path(__file__).parents[3]


class ParsingFailed(Exception):
    """The page was not parsed by its deadline, or crashed the process."""


def is_large(answer: Answer) -> bool:
    """Whether parsing the body would block the event loop for more than about 20 ms."""
    body = answer.body
    if len(body) < LARGE_TAGS * SHORTEST_TAG:
        return False
    return len(body) > LARGE_BODY or body.count(b"<") > LARGE_TAGS


class LargePages:
    """Parses large pages in up to `processes` processes, started when first needed.

    `deadline` is in seconds per page. Belongs to the event loop of its first page.
    """

    def __init__(self, processes: int = PROCESSES, deadline: float = DEADLINE_SECONDS) -> None:
        self.deadline = deadline
        self._places = asyncio.Semaphore(processes)
        self.idle: list[asyncio.subprocess.Process] = []

    async def parse(self, answer: Answer) -> Document:
        """The document of an answer, with its layout instead of its tree. Raises ParsingFailed."""
        async with self._places:
            process = self.idle.pop() if self.idle else await _start()
            done = False
            try:
                async with asyncio.timeout(self.deadline):
                    document = await _exchange(process, answer)
                done = True
            except (TimeoutError, EOFError, ConnectionError) as error:
                raise ParsingFailed(f"not parsed within {self.deadline:g} s") from error
            finally:
                if done:
                    self.idle.append(process)
                else:
                    await _end(process)
        return document

    async def close(self) -> None:
        """Ends the idle processes; busy ones end with their page's task."""
        while self.idle:
            await _end(self.idle.pop())


async def _start() -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "apps.engine.parsing.large_page_process",
        cwd=_ROOT, stdin=pipe, stdout=pipe, limit=_PIPE_BYTES, start_new_session=True,
    )


async def _end(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()


async def _exchange(process: asyncio.subprocess.Process, answer: Answer) -> Document:
    """Sends an answer and receives its document. Raises IncompleteReadError (an EOFError) if the
    process has ended."""
    assert process.stdin is not None and process.stdout is not None
    request = pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)
    process.stdin.write(len(request).to_bytes(SIZE_BYTES))
    process.stdin.write(request)
    await process.stdin.drain()
    size = int.from_bytes(await process.stdout.readexactly(SIZE_BYTES))
    document: Document = pickle.loads(await process.stdout.readexactly(size))
    return document
