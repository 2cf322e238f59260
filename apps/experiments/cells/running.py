"""Runs one cell: the engine's loop in this process, its batches kept as arrays.

A cell that is left unfinished writes a checkpoint, from which any worker takes it up again. Without
a usable checkpoint it begins anew and does the same as before.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apps.engine import checkpoint
from apps.engine.codes import StopReason
from apps.engine.crawl.checkpointing import check_version, restore_state, state_of
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.errors import BadCheckpoint
from apps.engine.events import Batch
from apps.engine.networking.fetcher import Fetcher
from apps.experiments.cells import result
from apps.experiments.cells.assembly import AssembledCell
from apps.experiments.cells.result import CellResult, Collector

CHECKPOINT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run of a cell ended: `reason` is None if it was left, `result` are its arrays so far.

    `metrics` are the last values of the measures; `seconds` and `cpu_seconds` are those of this
    run, without the time to build it.
    """

    reason: StopReason | None
    result: CellResult
    requests: int
    metrics: dict[str, Any]
    seconds: float
    cpu_seconds: float


@dataclass(slots=True)
class CellRun:
    """One run of a cell. `goes_on` is called after each batch; if it returns False, the cell is
    left, with a checkpoint in the file `kept`."""

    assembled: AssembledCell
    kept: Path
    goes_on: Callable[[Batch], bool]
    kept_at: float = field(default_factory=time.monotonic)

    def run(self) -> Ended:
        """Runs until the crawl ends or is left. Raises EngineError and OSError.

        The event loop rests between two batches, so that `goes_on` may use the database.
        """
        began, cpu = time.perf_counter(), time.process_time()
        engine = self.assembled.engine
        collected = Collector(self.assembled.label, self.assembled.inlinks)
        self._begin(engine, collected)
        with event_loop() as loop:
            batches = engine.run()
            try:
                while True:
                    batch = loop.run_until_complete(_next(batches))
                    collected.add(batch)
                    if batch.finished is not None:
                        break
                    if not self.goes_on(batch):
                        self._keep(engine, collected)
                        break
                    if time.monotonic() > self.kept_at + CHECKPOINT_SECONDS:
                        self._keep(engine, collected)
            finally:
                loop.run_until_complete(_close(batches, self.assembled.fetcher))
        return Ended(
            batch.finished,
            collected.result(engine.strategy.report()),
            engine.requests,
            dict(batch.metrics),
            time.perf_counter() - began,
            time.process_time() - cpu,
        )

    def _begin(self, engine: CrawlLoop, collected: Collector) -> None:
        """Starts the crawl, or takes it up at its checkpoint if there is a whole one."""
        try:
            kept = checkpoint.read(self.kept)
            check_version(kept["engine"])
        except BadCheckpoint:
            engine.start()
            return
        restore_state(engine, kept["engine"], kept["urls"])
        collected.go_on_from(result.of_plain(kept["result"]))

    def _keep(self, engine: CrawlLoop, collected: Collector) -> None:
        checkpoint.write(
            self.kept,
            {
                "engine": state_of(engine),
                "urls": list(engine.frontier.urls),
                "result": result.as_plain(collected.result()),
            },
        )
        self.kept_at = time.monotonic()


@contextmanager
def event_loop() -> Iterator[asyncio.AbstractEventLoop]:
    """A new event loop, closed at the end.

    `asyncio.Runner` would set a signal handler in each call that holds its task; Python then writes
    the task's result, all columns of a batch, as text, which takes longer than the crawl.
    """
    loop = asyncio.new_event_loop()
    try:
        yield loop
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


async def _next(batches: AsyncGenerator[Batch, None]) -> Batch:
    return await anext(batches)


async def _close(batches: AsyncGenerator[Batch, None], fetcher: Fetcher) -> None:
    await batches.aclose()
    await fetcher.close()
