"""Batches: the records made since the last batch, with the crawl's state at its end."""

from __future__ import annotations

from collections.abc import Callable

from apps.engine.codes import StopReason
from apps.engine.crawl.fetching.request_log import RequestLog
from apps.engine.crawl.fetching.site_opt_outs import SiteOptOuts
from apps.engine.crawl.limits import Limits
from apps.engine.crawl.recording import Recorder
from apps.engine.crawl.status import host_state, queue_head, totals
from apps.engine.events import Batch, HostState, LoopLoad, QueueHead
from apps.engine.frontier.queue import Frontier
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.networking.page_store.store import PageWriter

HEAD_SECONDS = 1.0


class Batches:
    """Closes the batches of one crawl. The next batch reports the hosts in `touched`.

    `strategy` gives the one that guides the crawl now. Without `keeps_rows`, batches are as in
    `Plan`.
    """

    def __init__(
        self,
        *,
        frontier: Frontier,
        strategy: Callable[[], Strategy],
        recorder: Recorder,
        site_opt_outs: SiteOptOuts,
        store: PageWriter | None,
        log: RequestLog,
        limits: Limits,
        clock: Callable[[], float],
        keeps_rows: bool = True,
    ) -> None:
        self.touched: set[str] = set()
        self._frontier = frontier
        self._strategy = strategy
        self._recorder = recorder
        self._site_opt_outs = site_opt_outs
        self._store = store
        self._log = log
        self._limits = limits
        self._clock = clock
        self._keeps_rows = keeps_rows
        self._head_at = -HEAD_SECONDS

    def close(
        self, finished: StopReason | None, reorder_seconds: float, load: LoopLoad | None
    ) -> Batch:
        """Returns the records made since the last batch, after syncing the page store to disk."""
        pages, failures, samples, events = self._recorder.close()
        if self._store is not None and pages:
            self._store.sync()
        requests, robots = self._log.drain()
        discovered, changed = self._frontier.drain() if self._keeps_rows else ((), ())
        return Batch(
            pages=pages,
            failures=failures,
            discovered=tuple(discovered),
            changed=tuple(changed),
            samples=samples,
            events=events,
            site_files=self._site_opt_outs.drain(),
            hosts=self._hosts(),
            head=self._head(finished is not None),
            totals=totals(
                self._frontier,
                self._limits.pages,
                self._limits.requests,
                self._recorder.errors,
                reorder_seconds,
            ),
            metrics=self._recorder.metrics,
            finished=finished,
            load=load,
            requests=requests,
            robots=robots,
        )

    def _hosts(self) -> tuple[HostState, ...]:
        names, now = sorted(self.touched) if self._keeps_rows else (), self._clock()
        self.touched.clear()
        return tuple(host_state(self._frontier, name, now) for name in names)

    def _head(self, at_once: bool) -> tuple[QueueHead, ...] | None:
        """The best waiting links, at most once a second: only the screen shows them."""
        now = self._clock()
        if not self._keeps_rows:
            return None
        if not at_once and now < self._head_at + HEAD_SECONDS:
            return None
        self._head_at = now
        return queue_head(self._frontier, self._strategy(), now)

    def forget(self) -> None:
        """Drops pending records. After a replay they are in the database already."""
        self._recorder.close()
        self._frontier.drain()
        self.touched.clear()
