"""Runs one crawl: the only bridge between the engine and the database.

The engine's loop runs in this thread; another thread with its own connection writes rows while
requests go on. Each batch is one transaction fenced by the crawl's epoch.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from typing import Any, TypeVar

from django.conf import settings
from django.db import connections, transaction
from django.utils import timezone

from apps.crawls.commands.lifecycle.resume import LOST
from apps.crawls.inputs.frozen import freeze_topic
from apps.crawls.lifecycle.events import write_event
from apps.crawls.lifecycle.lease import name_session, write_fenced
from apps.crawls.lifecycle.wake import wake
from apps.crawls.models import Crawl
from apps.crawls.opt_outs.selectors import files_of_today
from apps.crawls.opt_outs.services import claim_site_file
from apps.crawls.pages.library import CrawlLibrary
from apps.crawls.pages.segments import Unsealed, seal_left
from apps.crawls.running import ending, records
from apps.crawls.running.assembly import Assembled, assemble
from apps.crawls.running.checkpoints import Checkpoints
from apps.crawls.running.command_queue import CommandQueue
from apps.crawls.running.end_topicality import write_end_topicality
from apps.crawls.running.orders import Orders, disk_is_full, read_orders
from apps.crawls.running.progress_row import ProgressRow
from apps.crawls.running.replay import past_requests
from apps.engine.codes import State, StopReason
from apps.engine.crawl.checkpointing import state_of
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.resuming import PastRequest, replayed_kinds, resume
from apps.engine.events import Batch, SiteFileRecord
from apps.machines import events

T = TypeVar("T")

RENEWED_EVERY = 200


def _assembled(crawl: Crawl) -> Assembled:
    """The engine, built in another thread so that the lease can be renewed meanwhile; before the
    first page the topic is frozen."""
    try:
        freeze_topic(crawl)
        seal_left(crawl.pk)
        return assemble(crawl)
    finally:
        connections.close_all()


class Runner:
    """Runs a claimed crawl. `keep` never hands it on (for a crawl in the foreground).

    `begin` is called before the first request, `report` after each commit with the crawl's row as
    written.
    """

    def __init__(
        self,
        crawl: Crawl,
        keep: bool = False,
        report: Callable[[Crawl], None] = lambda crawl: None,
        begin: Callable[[], None] = lambda: None,
    ) -> None:
        self.crawl = crawl
        self.keep = keep
        self.report = report
        self.begin = begin
        self._thread = ThreadPoolExecutor(
            1, thread_name_prefix="rows", initializer=name_session, initargs=(crawl,)
        )
        self._begun = time.monotonic()
        self._has_committed = False
        # A crawl that its worker handed on is in state queued; one in state running has lost its
        # worker.
        self._taken_over = crawl.state in (State.RUNNING, State.STOPPING)
        self._progress_row = ProgressRow(crawl)
        self._checkpoints = Checkpoints(crawl)
        self._host_errors: dict[str, dict[str, int]] = {}
        self._commands = CommandQueue(crawl)
        self._unsealed = Unsealed(crawl)

    def run(self) -> str:
        """Runs until the crawl ends, is handed on or is lost to another process; returns which."""
        try:
            if disk_is_full():
                return ending.fail(self.crawl, StopReason.DISK_FULL, State.PAUSED)
            return asyncio.run(self._main())
        except Exception as error:
            return ending.break_off(self.crawl, error, self._has_committed)
        finally:
            self._thread.submit(connections.close_all).result()
            self._thread.shutdown()

    async def _rows(self, work: Callable[..., T], *arguments: Any) -> T:
        """Runs database work in the thread that has the connection."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, work, *arguments)

    async def _main(self) -> str:
        assembled = await self._keeping(asyncio.to_thread(_assembled, self.crawl))
        self._progress_row.cpu_of_agents = lambda: assembled.fetcher.cpu_seconds
        self._progress_row.agents = lambda: assembled.fetcher.agents
        assembled.engine.library = CrawlLibrary(self.crawl, assembled.bodies, self._rows)
        assembled.engine.fetcher.site_opt_outs.recall = self._recall_site_files
        assembled.engine.fetcher.site_opt_outs.claim = self._claim_site_file
        try:
            await self._prepare(assembled)
            await self._take_up(assembled.engine)
            self.begin()
            return await self._run(assembled)
        finally:
            self._commands.drop()
            assembled.bodies.close()
            await assembled.fetcher.close()
            if assembled.store is not None:
                assembled.store.close()

    async def _recall_site_files(self, origin: str) -> Sequence[SiteFileRecord]:
        return await self._rows(files_of_today, origin)

    async def _claim_site_file(self, origin: str, path: str) -> bool:
        return await self._rows(claim_site_file, origin, path)

    async def _renew(self) -> None:
        await self._rows(write_fenced, self.crawl)

    async def _keeping(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work`; the lease is renewed while it takes long."""
        task = asyncio.create_task(work)
        try:
            while not (await asyncio.wait((task,), timeout=settings.LEASE_SECONDS / 4))[0]:
                await self._renew()
            return task.result()
        finally:
            task.cancel()

    # Starting and resuming ---------------------------------------------------------------------

    async def _prepare(self, assembled: Assembled) -> None:
        """Starts a new crawl, or restores one from its records."""
        if not self.crawl.discovered:
            assembled.engine.start()
        else:
            await self._bring_back(assembled)
        await self._rows(self._mark_started, assembled.judged_by)

    async def _bring_back(self, assembled: Assembled) -> None:
        crawl, engine = self.crawl, assembled.engine
        self._host_errors = await self._rows(records.host_errors, crawl)
        stored = await self._rows(records.read_records, crawl, replayed_kinds(engine))
        kept = self._checkpoints.last()
        rows = await self._rows(records.requests_after, crawl, kept["requests"] if kept else 0)
        past = past_requests(rows, assembled.bodies)
        await self._keeping(resume(engine, kept, stored, self._renewing(past)))

    async def _take_up(self, engine: CrawlLoop) -> None:
        """Applies the changes made while nobody ran the crawl, and what its topic has decided on
        hosts, before anything is fetched."""
        await self._rows(self._commands.catch_up)
        asked = await self._rows(self._commands.read_pending)
        if await self._keeping(self._commands.carry_out(engine, asked, at_once=True)):
            await self._settle(engine)

    async def _renewing(self, past: AsyncIterator[PastRequest]) -> AsyncIterator[PastRequest]:
        """The same requests; the lease is renewed during a long replay."""
        count = 0
        async for request in past:
            if count % RENEWED_EVERY == 0:
                await self._renew()
            count += 1
            yield request

    def _mark_started(self, judged_by: str) -> None:
        with transaction.atomic():
            write_fenced(
                self.crawl,
                state=State.RUNNING,
                reason=StopReason.LEARNING,
                reason_details={},
                judged_by=judged_by,
                started_at=self.crawl.started_at or timezone.now(),
                finished_at=None,
            )
            if self.crawl.started_at is None:
                write_event(self.crawl, "started", {}, request=0, pages=0)
            elif self._taken_over:
                write_event(
                    self.crawl, LOST, {}, request=self.crawl.requests, pages=self.crawl.pages
                )
        if self._taken_over:
            events.write("taken_over", settings.MACHINE, crawl=self.crawl.pk)

    # The loop ----------------------------------------------------------------------------------

    async def _run(self, assembled: Assembled) -> str:
        engine = assembled.engine
        async with aclosing(engine.run()) as batches:
            async for batch in batches:
                orders = await self._rows(self._commit, batch)
                await self._rows(wake, self.crawl.pk)
                if batch.finished is not None:
                    return await self._finish(assembled, batch.finished)
                await self._seal(self._unsealed.complete())
                if (reason := orders.halt(self.crawl)) is not None:
                    engine.halt(reason)
                if await self._keeping(self._commands.carry_out(engine, orders.changes)):
                    await self._settle(engine)
                elif self._checkpoints.due(batch.totals.pages) or await self._has_words_to_erase():
                    await self._checkpoint(engine)
        raise AssertionError("a run ends with a finished batch")

    async def _settle(self, engine: CrawlLoop) -> None:
        """Stores the effect of labels before anything depends on it."""
        await self._rows(self._commit, engine.close_batch())
        await self._rows(wake, self.crawl.pk)
        await self._checkpoint(engine)

    async def _checkpoint(self, engine: CrawlLoop) -> None:
        begun = time.monotonic()
        await self._rows(self._checkpoints.keep, await self._state(engine), begun)

    async def _has_words_to_erase(self) -> bool:
        return self._checkpoints.may_look() and bool(
            (await self._rows(self._checkpoints.erasure)).rows
        )

    async def _state(self, engine: CrawlLoop) -> dict[str, Any]:
        """The state for a checkpoint, without words of pages that were erased."""
        erasure = await self._rows(self._checkpoints.erasure)
        if erasure.rows:
            engine.erase_words(erasure.has)
        return state_of(engine)

    def _commit(self, batch: Batch) -> Orders:
        """One transaction: the fence, the crawl's own row, all rows of the batch."""
        crawl = self.crawl
        with transaction.atomic():
            write_fenced(crawl, **self._progress_row.row(batch))
            records.write_batch(crawl, batch, self._host_errors)
            self._unsealed.write(batch)
            records.write_samples(crawl, batch)
            for event in batch.events:
                write_event(
                    crawl,
                    event.kind,
                    event.payload,
                    request=event.request,
                    pages=event.pages,
                    by_id=event.payload.get("by"),
                )
            self._commands.write()
        self._has_committed = True
        self.report(crawl)
        return self._orders()

    def _orders(self) -> Orders:
        kept_for = None if self.keep else time.monotonic() - self._begun
        return read_orders(self.crawl, self._commands.read_pending(), kept_for)

    async def _seal(self, files: Iterable[str]) -> None:
        """Puts complete segments into the store."""
        for file in files:
            await self._keeping(asyncio.to_thread(self._unsealed.upload, file))
            await self._rows(self._unsealed.drop, file)

    async def _finish(self, assembled: Assembled, reason: StopReason) -> str:
        if assembled.store is not None:
            assembled.store.close()
        await self._seal(self._unsealed.every())
        state = await self._state(assembled.engine)
        name = await self._rows(self._checkpoints.write, state)
        if reason is not StopReason.WAITING_FOR_A_WORKER:
            at_end = await asyncio.to_thread(assembled.engine.strategy.topicality_at_end)
            await self._rows(write_end_topicality, self.crawl, at_end)
        await self._rows(ending.close, self.crawl, reason, name)
        if reason is not StopReason.WAITING_FOR_A_WORKER:
            await self._rows(self._checkpoints.sweep, name)
        await self._rows(wake, self.crawl.pk)
        return str(reason)
