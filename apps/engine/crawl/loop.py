"""One crawl: assembled, run and changed (see `apps/engine/__init__`).

`retraining.py` retrains it on labels, `checkpointing.py` writes and restores its state.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Mapping, Set
from types import MappingProxyType
from typing import Any

from apps.engine import garbage
from apps.engine.codes import StopReason
from apps.engine.crawl.batching import Batches
from apps.engine.crawl.bottleneck import LoopTime
from apps.engine.crawl.control import CrawlControl, Resolve
from apps.engine.crawl.fetching.outage import Outage
from apps.engine.crawl.fetching.pace import Pace
from apps.engine.crawl.fetching.polite_fetcher import PoliteFetcher
from apps.engine.crawl.fetching.rendering import Rendering
from apps.engine.crawl.guide import GuidingModels
from apps.engine.crawl.limits import Limits
from apps.engine.crawl.plan import Plan
from apps.engine.crawl.recording import Inlinks, Judges, Labels, Recorder
from apps.engine.crawl.relearning.library import Library
from apps.engine.crawl.running import ManyAtOnce, OneByOne
from apps.engine.crawl.steering import ApplyChange, Steering
from apps.engine.crawl.turns import Turns
from apps.engine.errors import BadParameter
from apps.engine.evaluation.measure import GroundTruth
from apps.engine.events import Batch, EventRecord, LoopLoad
from apps.engine.frontier.hosts import GroupLimits
from apps.engine.frontier.ordered import make_frontier
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.fetcher import Fetcher
from apps.engine.networking.page_store.store import PageWriter
from apps.engine.networking.robots.files import Robots
from apps.engine.parsing.documents.converters import Converters
from apps.engine.parsing.large_pages import LargePages
from apps.engine.urls import canonical, spelled


class CrawlLoop:
    """One crawl with one strategy. `run` yields batches; store each before asking for the next.

    `store` keeps the bodies; it is None on a recorded web. `labels` and `inlinks` return the ground
    truth of a URL, `relevant` is the number of pages of the web with the topic's label, `directory`
    holds the registered domains that a directory lists; only the measures read these. `library`
    reads the crawl's pages again, to learn from labels. With a `rendering_agent`, a User-Agent,
    pages that need scripts are rendered. `change_kinds` maps each kind of change to
    the function that applies it. `clock` returns monotonic seconds.
    """

    def __init__(
        self,
        plan: Plan,
        topic: TopicModel,
        strategy: Strategy,
        fetcher: Fetcher,
        *,
        committee: Judges | None = None,
        robots: Robots | None = None,
        store: PageWriter | None = None,
        labels: Labels = lambda url: None,
        inlinks: Inlinks = lambda url: None,
        relevant: int | None = None,
        directory: Set[str] = frozenset(),
        library: Library | None = None,
        change_kinds: Mapping[str, ApplyChange] = MappingProxyType({}),
        unverified: set[str] | None = None,
        rendering_agent: str = "",
        resolve: Resolve | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.plan = plan
        self.limits = Limits(plan.budget, plan.request_limit)
        self.pace = Pace(plan.politeness.pages_per_second, clock)
        guide = GuidingModels.start(topic, strategy, robots.user_agent if robots else None)
        self.library = library
        self.change_kinds = change_kinds
        self.unverified = set() if unverified is None else unverified
        self.clock = clock
        self.frontier = make_frontier(
            plan.scope,
            plan.policy,
            replaces=strategy.scores == "urls",
            one_at_a_time=not plan.recorded,
            order=plan.order,
            limits=GroupLimits(
                plan.politeness.hosts_per_domain,
                plan.politeness.hosts_per_address,
                plan.politeness.delay,
            ),
        )
        if plan.revisits is not None:
            self.frontier.revisit(plan.revisits)
        self.fetcher = PoliteFetcher(
            fetcher,
            robots=robots,
            politeness=plan.politeness,
            frontier=self.frontier,
            clock=clock,
            refresh_target=lambda answer: self.guide.reader.refresh_target(answer),
        )
        self.recorder = Recorder(
            committee=committee,
            truth=GroundTruth(topic.topic.targets, relevant, directory),
            labels=labels,
            inlinks=inlinks,
            sample_every=plan.sample_every,
        )
        self.batches = Batches(
            frontier=self.frontier,
            strategy=lambda: self.guide.strategy,
            recorder=self.recorder,
            site_opt_outs=self.fetcher.site_opt_outs,
            store=store,
            log=self.fetcher.log,
            limits=self.limits,
            clock=clock,
            keeps_rows=plan.keeps_rows,
        )
        self.large_pages = LargePages()
        self.converters = Converters() if plan.scope.documents and not plan.recorded else None
        self.rendering = (
            Rendering(self.fetcher, self.limits, self.recorder, self.large_pages, rendering_agent)
            if rendering_agent and not plan.recorded
            else None
        )
        self.turns = Turns(
            guide=guide,
            plan=plan,
            limits=self.limits,
            frontier=self.frontier,
            fetcher=self.fetcher,
            recorder=self.recorder,
            store=store,
            touched=self.batches.touched,
            clock=clock,
        )
        self.changes = 0
        self._control = CrawlControl(
            frontier=self.frontier,
            fetcher=self.fetcher,
            limits=self.limits,
            pace=self.pace,
            in_flight=plan.in_flight,
            clock=clock,
            turns=self.turns,
            large_pages=self.large_pages,
            resolve=resolve,
            converters=self.converters,
            rendering=self.rendering,
            time=LoopTime(clock),
        )
        self._requests: OneByOne | ManyAtOnce = OneByOne(self._control)

    @property
    def guide(self) -> GuidingModels:
        """The models, the strategy and the reader in force."""
        return self.turns.guide

    @guide.setter
    def guide(self, guide: GuidingModels) -> None:
        self.turns.guide = guide

    @property
    def strategy(self) -> Strategy:
        return self.guide.strategy

    @property
    def pages(self) -> int:
        return self.limits.pages

    @property
    def requests(self) -> int:
        return self.limits.requests

    @property
    def reorder_seconds(self) -> float:
        """Processor seconds spent on re-scoring the frontier."""
        return self.turns.reorder_seconds

    def start(self) -> None:
        """Queues the topic's seeds, or of a visit the addresses that are due."""
        if self.plan.revisits is not None:
            self.frontier.queue_due(self.clock())
            return
        for url in self.guide.topic.topic.seeds:
            self.frontier.seed(canonical(url) or url, self.clock(), spelled("", url) or "")

    def change(self, kind: str, payload: dict[str, Any]) -> EventRecord:
        """Applies a person's change, from the next request on.

        Raises EngineError if the change is not possible.
        """
        apply = self.change_kinds.get(kind)
        if apply is None:
            raise BadParameter(f"there is no change of kind {kind}", parameter=kind)
        steering = Steering(
            self.frontier,
            self.strategy,
            self.limits,
            self.pace,
            self.recorder.measures,
            self.batches.touched,
            self.unverified,
            self.clock(),
        )
        apply(steering, payload)
        self.changes += 1
        return self.note(kind, payload)

    def note(self, kind: str, payload: dict[str, Any]) -> EventRecord:
        """Records an event of now that a replay does not repeat."""
        event = EventRecord(self.requests, self.pages, kind, payload)
        self.recorder.event(event)
        return event

    def halt(self, reason: StopReason) -> None:
        """Starts no more requests; `run` ends when those in flight are done."""
        self._control.halted = reason
        self._requests.wake()

    async def run(self) -> AsyncGenerator[Batch, None]:
        """Yields batches until the crawl ends; `finished` of the last is the reason."""
        control, recorded = self._control, self.plan.recorded
        control.halted, control.time = None, LoopTime(self.clock)
        self._requests = (
            OneByOne(control) if recorded else ManyAtOnce(control, Outage(self.frontier))
        )
        opened = self.clock()
        try:
            with garbage.collect_rarely():
                while True:
                    closes = opened + self.plan.batch_seconds
                    reason = await self._requests.step(closes)
                    due = self.recorder.size >= self.plan.batch_requests
                    if reason or due or self.clock() >= closes:
                        batch = self.close_batch(reason)
                        closed = self.clock()
                        yield batch
                        opened = self.clock()
                        control.time.committed(opened - closed)
                        if reason:
                            return
        finally:
            self._requests.cancel()
            await self.large_pages.close()
            if self.converters is not None:
                await self.converters.close()
            if self.rendering is not None:
                await self.rendering.renderer.close()

    def close_batch(self, finished: StopReason | None = None) -> Batch:
        """Returns the records made since the last batch, after syncing the page store to disk."""
        return self.batches.close(finished, self.reorder_seconds, self._load())

    def _load(self) -> LoopLoad | None:
        robots = self.fetcher.robots
        return self._control.time.load(
            self.frontier.hosts,
            self.plan.politeness,
            under_way=self._requests.under_way,
            allowed=self.plan.in_flight,
            robots=robots.awaited if robots else 0,
        )

    def erase_words(self, is_erased: Callable[[str], bool]) -> None:
        """Forgets words of erased pages, which no later state has. A replay repeats it only from a
        checkpoint, which must follow."""
        self.guide.topic.vocabulary.erase(is_erased)
