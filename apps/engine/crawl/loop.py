"""The loop: pick, fetch, read, judge, learn, score, queue, record (see `apps/engine/__init__`)."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Set
from dataclasses import astuple, replace
from typing import Any

from apps.engine.crawl.asking import Asker
from apps.engine.crawl.changes import apply_change
from apps.engine.crawl.library import Library
from apps.engine.crawl.manners import may_ask_again, next_turn
from apps.engine.crawl.plan import Plan
from apps.engine.crawl.reading import Reader
from apps.engine.crawl.recording import Inlinks, Judges, Labels, Pending, Recorder
from apps.engine.crawl.running import ManyAtOnce, OneByOne
from apps.engine.crawl.standing import host_state, queue_head, totals
from apps.engine.crawl.trapping import watch
from apps.engine.evaluation.measure import Known
from apps.engine.events import Batch, EventRecord, FailureRecord, QueueHead
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.view import FrontierView
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Answer, Document, Failure, StopReason, Verdict
from apps.engine.networking.fetcher import Fetcher
from apps.engine.networking.page_store import PageStoreWriter
from apps.engine.networking.politeness import is_block
from apps.engine.networking.robots import Robots

HEAD_SECONDS = 1.0
LONGEST_WAIT = 60.0


class Crawl:
    """One crawl of one strategy. `run` yields batches; each must be written before the next.

    `store` keeps the bodies (None on a web that is itself a record). `labels` and `inlinks` say
    what is known of a URL. `library` reads the crawl's pages again, for labels. `relevant` is how
    many pages of the web carry the topic's label, `directory` the registered domains a directory
    lists: both for the measures alone. `clock` gives seconds that never run backwards.
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
        store: PageStoreWriter | None = None,
        labels: Labels = lambda url: None,
        inlinks: Inlinks = lambda url: None,
        relevant: int | None = None,
        directory: Set[str] = frozenset(),
        library: Library | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.plan = plan
        self.topic = topic
        self.first_topic = topic.topic
        self.labels: tuple[int, ...] = ()
        self.library = library
        self.strategy = strategy.fit(topic)
        self.clock = clock
        self.frontier = Frontier(
            plan.scope, plan.policy, strategy.scores == "urls", one_at_a_time=not plan.recorded
        )
        self.reader = Reader(topic, strategy, robots.user_agent if robots else None)
        self.asker = Asker(
            fetcher, robots, plan.politeness, self.frontier, clock, self._refresh_target
        )
        self.recorder = Recorder(
            committee,
            Known(topic.topic.targets, relevant, directory),
            labels,
            inlinks,
            plan.sample_every,
        )
        self.store = store
        self.pages = 0
        self.requests = 0
        self.changes = 0
        self.reorder_seconds = 0.0
        self.halted: StopReason | None = None
        self._requests: OneByOne | ManyAtOnce = OneByOne(self)
        self._head_at = -HEAD_SECONDS
        self._touched: set[str] = set()

    def start(self) -> None:
        """Queues the topic's seeds."""
        for url in self.topic.topic.seeds:
            self.frontier.seed(url, self.clock())

    def change(self, kind: str, payload: dict[str, Any]) -> EventRecord:
        """Applies a change that a person asks for, from the next request on.

        Raises EngineError where the crawl cannot take it.
        """
        apply_change(self, kind, payload)
        self.changes += 1
        return self.note(kind, payload)

    def note(self, kind: str, payload: dict[str, Any]) -> EventRecord:
        """Records something that happened now and is not repeated by a replay."""
        event = EventRecord(self.requests, self.pages, kind, payload)
        self.recorder.event(event)
        return event

    def halt(self, reason: StopReason) -> None:
        """Starts no more requests; `run` ends once those under way are done."""
        self.halted = reason
        self._requests.wake()

    # Running -----------------------------------------------------------------------------------

    async def run(self) -> AsyncIterator[Batch]:
        """Batches until the crawl ends; the last one says why in `finished`."""
        self.halted = None
        self._requests = OneByOne(self) if self.plan.recorded else ManyAtOnce(self)
        opened = self.clock()
        try:
            while True:
                closes = opened + self.plan.batch_seconds
                reason = await self._requests.step(closes)
                due = self.recorder.size >= self.plan.batch_requests
                if reason or due or self.clock() >= closes:
                    yield self.close_batch(reason)
                    opened = self.clock()
                    if reason:
                        return
        finally:
            self._requests.cancel()

    def may_start(self, under_way: int) -> bool:
        """Whether the limits leave room for one more request beside those under way."""
        return (
            self.pages + under_way < self.plan.budget
            and self.requests + under_way < self.plan.request_limit
        )

    def ending(self) -> StopReason | None:
        """Why the crawl ends with nothing under way; None where it only has to wait."""
        if self.halted is not None:
            return self.halted
        if self.pages >= self.plan.budget:
            return StopReason.BUDGET_REACHED
        if self.requests >= self.plan.request_limit:
            return StopReason.REQUEST_LIMIT
        if self.frontier.waiting == 0:
            return StopReason.FRONTIER_EMPTY if self.pages else StopReason.NO_SEEDS
        now = self.clock()
        turn = self.frontier.hosts.next_time(now)
        if turn is None or turn - now > LONGEST_WAIT:
            return StopReason.ALL_HOSTS_BLOCKED
        return None

    # One answer --------------------------------------------------------------------------------

    def apply(
        self,
        number: int,
        answer: Answer,
        verdict: Verdict | None = None,
        record: tuple[str, int, int, str] | None = None,
    ) -> None:
        """Takes one answer into the crawl; `verdict` and `record` are given in a replay."""
        self.requests += 1
        failure = answer.failure or self._refusal(number, answer)
        document = None if failure else self.reader.document(answer)
        if document is not None and document.noindex and self.asker.robots is not None:
            failure, document = Failure.NOINDEX, None
        host = self.frontier.host_of(number)
        self._touched.add(host.name)
        now = self.clock()
        wait = 0.0 if self.plan.recorded else next_turn(host, answer, failure, self.plan.politeness)
        if document is None:
            self._give_up_or_retry(number, replace(answer, failure=failure), now, wait)
            failed = replace(answer, failure=failure, body=b"")
            self.recorder.failure(FailureRecord(self.requests, number, failed, host.name))
            return
        self.pages += 1
        self.frontier.fetched(number, now, now + wait)
        if answer.final_url != answer.url:
            self.frontier.answered_elsewhere(number, answer.final_url)
        if record is None and self.store is not None:
            record = astuple(self.store.append(answer))
        self._learn(number, answer, document, verdict, record)

    def _give_up_or_retry(
        self, number: int, answer: Answer, now: float, wait: float
    ) -> None:
        """The URL has failed, or waits for another try while its host rests a little longer."""
        frontier, politeness = self.frontier, self.plan.politeness
        host, retries = frontier.host_of(number), frontier.retries(number)
        wanted = frontier.parent[number] < 0 or frontier.refused(number) is None
        if self.plan.recorded or not (
            wanted and may_ask_again(host, answer.failure, retries, politeness)
        ):
            frontier.failed(number, now, now + wait)
        else:
            pause = politeness.delay_before_retry(retries + 1, host.delay)
            rules = self.asker.rules_again_in(answer.final_url)
            frontier.retry(number, now, now + max(wait, pause, rules))

    def _refusal(self, number: int, answer: Answer) -> str | None:
        """Why an answer with a body is no page of its own."""
        known = self.frontier.page_at(answer.final_url)
        if known is not None and known != number:
            return Failure.REDIRECT_TO_KNOWN
        return Failure.BLOCK_PAGE if is_block(answer) else None

    def _learn(
        self,
        number: int,
        answer: Answer,
        document: Document,
        verdict: Verdict | None,
        record: tuple[str, int, int, str] | None,
    ) -> None:
        """Steps 4 to 8: judge, learn, score the links, queue them."""
        known = len(self.frontier)
        visit, judgement = self.reader.visit(answer, document, number, self.frontier, self.pages)
        if not document.needs_javascript:
            self.strategy.learn(visit)
        scores = self.strategy.score_links(visit)
        self.frontier.offer(visit.link_numbers, scores, number, self.clock())
        watch(self, visit, known)
        self.recorder.page(
            Pending(
                seq=self.pages,
                request=self.requests,
                answer=answer,
                document=document,
                visit=visit,
                judgement=judgement,
                host=self.frontier.host_of(number).name,
                priority=self.frontier.priority[number],
                record=record,
                readings=self.strategy.readings(),
                waiting=self.frontier.waiting,
                requests=self.requests,
                errors=self.requests - self.pages,
                verdict=verdict,
                text=self.reader.kept(visit),
            )
        )
        if self.strategy.reorder_due(self.pages):
            self.reorder()

    def reorder(self) -> None:
        """Lets the strategy score the whole frontier anew, and counts the time it takes."""
        began = time.process_time()
        view = FrontierView(self.frontier)
        priorities = self.strategy.rescore(view)
        if priorities is not None:
            self.frontier.replace_priorities(view.numbers, priorities, self.clock())
        self.reorder_seconds += time.process_time() - began

    def _refresh_target(self, answer: Answer) -> str | None:
        return self.reader.document(answer).refresh

    # Batches -----------------------------------------------------------------------------------

    def close_batch(self, finished: StopReason | None = None) -> Batch:
        """Everything since the last batch. The page store is on disk before it is handed out."""
        pages, failures, samples, events = self.recorder.close()
        if self.store is not None and pages:
            self.store.sync()
        discovered, changed = self.frontier.drain()
        touched, self._touched = self._touched, set()
        return Batch(
            pages=pages,
            failures=failures,
            discovered=tuple(discovered),
            changed=tuple(changed),
            samples=samples,
            events=events,
            hosts=tuple(host_state(self.frontier, name, self.clock()) for name in sorted(touched)),
            head=self._head(finished is not None),
            totals=totals(
                self.frontier, self.pages, self.requests, self.recorder.errors,
                self.reorder_seconds,
            ),
            metrics=self.recorder.metrics,
            finished=finished,
        )

    def _head(self, at_once: bool) -> tuple[QueueHead, ...] | None:
        """The first of the queue, at most once a second: it is for the screen alone."""
        now = self.clock()
        if not at_once and now < self._head_at + HEAD_SECONDS:
            return None
        self._head_at = now
        return queue_head(self.frontier, now)

    def touch(self, host: str) -> None:
        """Has the next batch say how the host stands."""
        self._touched.add(host)

    def forget_records(self) -> None:
        """Drops what is recorded but not handed out: after a replay it has long been written."""
        self.recorder.close()
        self.frontier.drain()
        self._touched.clear()

    # State -------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All that a checkpoint keeps; call it right after `close_batch`."""
        robots = self.asker.robots
        return {
            "pages": self.pages,
            "requests": self.requests,
            "changes": self.changes,
            "labels": list(self.labels),
            "reorder_seconds": self.reorder_seconds,
            "discovered": len(self.frontier),
            "frontier": self.frontier.snapshot(self.clock()),
            "strategy": self.strategy.state(),
            "vocabulary": self.topic.vocabulary.snapshot(),
            "recorder": self.recorder.state(),
            "robots": robots.snapshot() if robots else None,
        }

    def restore(self, state: dict[str, Any], discovered: list[str]) -> None:
        """Takes back what `state` gave; `discovered` are the URLs by number, that many.

        The labels that the state names must have been adopted.
        """
        self.pages = state["pages"]
        self.requests = state["requests"]
        self.changes = state["changes"]
        self.reorder_seconds = state["reorder_seconds"]
        self.topic.vocabulary.restore(state["vocabulary"])
        self.frontier.restore(state["frontier"], discovered, self.clock())
        self.strategy.restore(state["strategy"])
        self.recorder.restore(state["recorder"])
        if self.asker.robots and state["robots"] is not None:
            self.asker.robots.restore(state["robots"])
