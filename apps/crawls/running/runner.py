"""Runs one crawl: the only bridge between the engine and the database.

The engine's loop runs in this thread; another thread with its own connection writes rows while
requests go on. Each batch is one transaction fenced by the crawl's epoch.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import shutil
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection, connections, transaction
from django.utils import timezone

from apps.crawls.commands.resume import LOST
from apps.crawls.commands.stop_rules import STOP_RULES
from apps.crawls.lifecycle.events import write_event
from apps.crawls.lifecycle.lease import (
    DATABASE_LOST,
    LostOwnershipError,
    give_back,
    hand_on,
    no_lock_outlives_the_lease,
    release,
    write_fenced,
)
from apps.crawls.lifecycle.wake import wake
from apps.crawls.models import Change, Crawl
from apps.crawls.pages.library import CrawlLibrary
from apps.crawls.running import records
from apps.crawls.running.assembly import Assembled, assemble
from apps.crawls.running.checkpoints import Checkpoints
from apps.crawls.running.command_queue import CommandQueue
from apps.crawls.running.progress_row import ProgressRow
from apps.crawls.running.replay import past_requests
from apps.engine.codes import State, StopReason
from apps.engine.crawl.loop import Crawl as Engine
from apps.engine.crawl.resuming import PastRequest, replayed_kinds, resume
from apps.engine.errors import EngineError, NeedsMissing
from apps.engine.events import Batch
from apps.jobs.site import is_stopping
from apps.webs.serving import WebNotServed

log = logging.getLogger("crawlsite.runner")
T = TypeVar("T")

RENEWED_EVERY = 200
# The pause between two tries if the database does not answer.
LOST_SECONDS = 0.2
FINAL_STATES = {
    StopReason.PAUSED_BY_USER: State.PAUSED,
    StopReason.DISK_FULL: State.PAUSED,
    StopReason.NO_NETWORK: State.PAUSED,
    StopReason.ALL_HOSTS_BLOCKED: State.PAUSED,
    StopReason.NO_SEEDS: State.FAILED,
}


def _assembled(crawl: Crawl) -> Assembled:
    """The engine, built in another thread so that the lease can be renewed meanwhile."""
    try:
        return assemble(crawl)
    finally:
        connections.close_all()


def _ended_by(crawl: Crawl, reason: StopReason) -> int | None:
    """The id of the person who ended it, if anybody did."""
    if reason not in (StopReason.PAUSED_BY_USER, StopReason.STOPPED_BY_USER):
        return None
    return Crawl.objects.values_list("desired_by", flat=True).get(pk=crawl.pk)


def _disk_is_full() -> bool:
    return shutil.disk_usage(settings.DATA_DIR).free < settings.LEAST_FREE_DISK


@dataclass(frozen=True, slots=True)
class Orders:
    """What the row asks of a running crawl."""

    desired: str
    limits: tuple[float | None, ...]
    changes: tuple[Change, ...]
    others_wait: bool


class Runner:
    """Runs a claimed crawl. `keep` never hands it on (for a crawl in the foreground).

    `report` is called after each commit with the crawl's row as written.
    """

    def __init__(
        self,
        crawl: Crawl,
        keep: bool = False,
        report: Callable[[Crawl], None] = lambda crawl: None,
    ) -> None:
        self.crawl = crawl
        self.keep = keep
        self.report = report
        self._thread = ThreadPoolExecutor(
            1, thread_name_prefix="rows", initializer=no_lock_outlives_the_lease
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

    def run(self) -> str:
        """Runs until the crawl ends, is handed on or is lost to another process; returns which."""
        try:
            if _disk_is_full():
                return self._fail(StopReason.DISK_FULL, State.PAUSED)
            return asyncio.run(self._main())
        except LostOwnershipError as error:
            return str(error)
        except WebNotServed as error:
            return self._fail(StopReason.WEB_NOT_SERVED, State.PAUSED, web=str(error))
        except DATABASE_LOST as error:
            log.warning("crawl %s: the database was lost: %s", self.crawl.pk, error)
            return self._give_back()
        except NeedsMissing as error:
            return self._fail(StopReason.NEEDS_MISSING, need=error.need)
        except EngineError as error:
            log.exception("crawl %s", self.crawl.pk)
            return self._fail(StopReason.ENGINE_ERROR, code=error.code, detail=error.detail)
        except Exception as error:
            if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
                return self._fail(StopReason.DISK_FULL, State.PAUSED)
            log.exception("crawl %s", self.crawl.pk)
            return self._fail(
                StopReason.ENGINE_ERROR, code=type(error).__name__, detail=str(error)[:500]
            )
        finally:
            self._thread.submit(connections.close_all).result()
            self._thread.shutdown()

    def _fail(
        self, reason: StopReason, state: State = State.FAILED, **details: object
    ) -> str:
        """Ends the crawl, with a reason that a person must resolve; what it has is kept."""
        try:
            with transaction.atomic():
                release(
                    self.crawl, state=state, reason=reason, reason_details=details,
                    finished_at=timezone.now(),
                )
        except LostOwnershipError as error:
            return str(error)
        except DATABASE_LOST as error:
            log.warning("crawl %s: %s could not be written: %s", self.crawl.pk, reason, error)
            return "database_lost"
        wake(self.crawl.pk)
        return str(reason)

    def _give_back(self) -> str:
        """Leaves the crawl, as last written, to the next worker once the database answers.

        A run that made no progress keeps its lease to the end, so that a lasting problem is not met
        again and again.
        """
        until = time.monotonic() + settings.LEASE_SECONDS
        while self._has_committed and time.monotonic() < until:
            try:
                give_back(self.crawl)
                break
            except DATABASE_LOST:
                connection.close()
                time.sleep(LOST_SECONDS)
        return "database_lost"

    async def _rows(self, work: Callable[..., T], *arguments: Any) -> T:
        """Runs database work in the thread that has the connection."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, work, *arguments)

    async def _main(self) -> str:
        assembled = await self._keeping(asyncio.to_thread(_assembled, self.crawl))
        assembled.engine.library = CrawlLibrary(self.crawl, assembled.bodies, self._rows)
        try:
            await self._prepare(assembled)
            await self._take_up(assembled.engine)
            return await self._run(assembled)
        finally:
            self._commands.drop()
            assembled.bodies.close()
            await assembled.fetcher.close()
            if assembled.store is not None:
                assembled.store.close()

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
        found = await self._rows(records.read_records, crawl, replayed_kinds(engine))
        kept = self._checkpoints.last()
        rows = await self._rows(records.requests_after, crawl, kept["requests"] if kept else 0)
        past = past_requests(rows, assembled.bodies)
        await self._keeping(resume(engine, kept, found, self._renewing(past)))

    async def _take_up(self, engine: Engine) -> None:
        """Applies the changes made while nobody ran the crawl, before anything is fetched."""
        asked = await self._rows(self._commands.asked)
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
                self.crawl, state=State.RUNNING, reason=StopReason.LEARNING, reason_details={},
                judged_by=judged_by,
                started_at=self.crawl.started_at or timezone.now(), finished_at=None,
            )
            if self.crawl.started_at is None:
                write_event(self.crawl, "started", {}, request=0, pages=0)
            elif self._taken_over:
                write_event(
                    self.crawl, LOST, {}, request=self.crawl.requests, pages=self.crawl.pages
                )

    # The loop ----------------------------------------------------------------------------------

    async def _run(self, assembled: Assembled) -> str:
        engine = assembled.engine
        async with aclosing(engine.run()) as batches:
            async for batch in batches:
                orders = await self._rows(self._commit, batch)
                await self._rows(wake, self.crawl.pk)
                if batch.finished is not None:
                    return await self._finish(engine, batch.finished)
                self._obey(engine, orders)
                if await self._keeping(self._commands.carry_out(engine, orders.changes)):
                    await self._settle(engine)
                elif self._checkpoints.due(batch.totals.pages):
                    await self._rows(self._checkpoints.keep, engine.state())
        raise AssertionError("a run ends with a finished batch")

    async def _settle(self, engine: Engine) -> None:
        """Stores the effect of labels before anything depends on it."""
        await self._rows(self._commit, engine.close_batch())
        await self._rows(wake, self.crawl.pk)
        await self._rows(self._checkpoints.keep, engine.state())

    def _commit(self, batch: Batch) -> Orders:
        """One transaction: the fence, the crawl's own row, all rows of the batch."""
        crawl = self.crawl
        with transaction.atomic():
            write_fenced(crawl, **self._progress_row.row(batch))
            records.write_batch(crawl, batch, self._host_errors)
            records.write_samples(crawl, batch, self._progress_row.speed(batch.totals.pages))
            for event in batch.events:
                write_event(
                    crawl, event.kind, event.payload, request=event.request, pages=event.pages,
                    by_id=event.payload.get("by"),
                )
            self._commands.write()
        self._has_committed = True
        self.report(crawl)
        return self._orders()

    def _orders(self) -> Orders:
        crawl = self.crawl
        names = (rule.name for rule in STOP_RULES)
        desired, *limits = Crawl.objects.values_list("desired", *names).get(pk=crawl.pk)
        long_enough = time.monotonic() - self._begun > settings.KEEP_SECONDS
        others = Crawl.objects.filter(state=State.QUEUED, runner="", desired="run")
        others_wait = long_enough and others.exists()
        return Orders(desired, tuple(limits), self._commands.asked(), others_wait)

    def _obey(self, engine: Engine, orders: Orders) -> None:
        if orders.desired == Crawl.Desired.PAUSE:
            engine.halt(StopReason.PAUSED_BY_USER)
        elif orders.desired == Crawl.Desired.STOP:
            engine.halt(StopReason.STOPPED_BY_USER)
        elif (reason := self._reached(orders)) is not None:
            engine.halt(reason)
        elif not self.keep and (orders.others_wait or is_stopping(settings.DATA_DIR)):
            engine.halt(StopReason.WAITING_FOR_A_WORKER)
        elif _disk_is_full():
            engine.halt(StopReason.DISK_FULL)

    def _reached(self, orders: Orders) -> StopReason | None:
        """Which stop rule ends the crawl now."""
        for rule, limit in zip(STOP_RULES, orders.limits, strict=True):
            if limit is not None and rule.reached(self.crawl, limit):
                return rule.reason
        return None

    # Ending ------------------------------------------------------------------------------------

    async def _finish(self, engine: Engine, reason: StopReason) -> str:
        state = engine.state()
        name = await self._rows(self._checkpoints.write, state)
        await self._rows(self._close, reason, name)
        await self._rows(wake, self.crawl.pk)
        return str(reason)

    def _close(self, reason: StopReason, name: str) -> None:
        crawl = self.crawl
        with transaction.atomic():
            if reason is StopReason.WAITING_FOR_A_WORKER:
                write_fenced(crawl, checkpoint=name)
                hand_on(crawl)
                return
            state = FINAL_STATES.get(reason, State.FINISHED)
            write_event(
                crawl, str(state), {"reason": reason}, request=crawl.requests, pages=crawl.pages,
                by_id=_ended_by(crawl, reason),
            )
            ended = {} if state is State.PAUSED else {"finished_at": timezone.now()}
            release(
                crawl, checkpoint=name, state=state, reason=reason,
                reason_details={"at": timezone.now().isoformat()}, **ended,
            )
        self._checkpoints.sweep(name)
