"""Records the pages, failures and events since the last batch, and has the committee judge them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from apps.engine.crawl.sampling import is_sampled
from apps.engine.evaluation import Measures
from apps.engine.evaluation.measure import GroundTruth, JudgedPage
from apps.engine.events import EventRecord, FailureRecord, PageRecord, SampleRecord
from apps.engine.intelligence.classifying.page_memory import PageMemory
from apps.engine.model import Answer, Document, Ints, Judgement, TokenRows, Verdict, Visit

Labels = Callable[[str], bool | None]
Inlinks = Callable[[str], int | None]


class Judges(Protocol):
    """The committee, or another judge that is independent of the strategy."""

    of_pages: PageMemory[Verdict]

    def judge(self, pages: TokenRows) -> Sequence[Verdict]: ...


@dataclass(slots=True)
class Pending:
    """A page without a verdict yet."""

    seq: int
    request: int
    answer: Answer
    document: Document
    visit: Visit
    judgement: Judgement
    host: str
    priority: float
    record: tuple[str, int, int, str] | None
    telemetry: dict[str, float]
    waiting: int
    requests: int
    errors: int
    verdict: Verdict | None
    contexts: bytes


class Recorder:
    """Collects one crawl's records.

    `labels` and `inlinks` return the ground truth of a URL, or None. Only the measures use them and
    `truth`.
    """

    def __init__(
        self,
        *,
        committee: Judges | None,
        truth: GroundTruth,
        labels: Labels,
        inlinks: Inlinks,
        sample_every: int,
    ) -> None:
        self._committee = committee
        self._labels = labels
        self._inlinks = inlinks
        self._sample_every = sample_every
        self.measures = Measures(truth)
        self.errors: Counter[str] = Counter()
        self.metrics: dict[str, float | int | None] = self.measures.values()
        self._pending: list[Pending] = []
        self._failures: list[FailureRecord] = []
        self._events: list[EventRecord] = []

    @property
    def size(self) -> int:
        """The number of requests recorded since the last `close`."""
        return len(self._pending) + len(self._failures)

    def page(self, pending: Pending) -> None:
        self._pending.append(pending)

    def failure(self, record: FailureRecord) -> None:
        self.errors[record.answer.failure or ""] += 1
        self._failures.append(record)

    def event(self, record: EventRecord) -> None:
        self._events.append(record)

    def close(
        self,
    ) -> tuple[
        tuple[PageRecord, ...],
        tuple[FailureRecord, ...],
        tuple[SampleRecord, ...],
        tuple[EventRecord, ...],
    ]:
        """Judges the pages, updates the measures and returns the records since the last call."""
        pages: list[PageRecord] = []
        samples: list[SampleRecord] = []
        for pending, verdict in zip(self._pending, self._verdicts(), strict=True):
            judged = self._judged(pending, verdict)
            target = bool(self.measures.recall.hits(judged))
            self.measures.update(judged)
            pages.append(_page_record(pending, verdict, target))
            if is_sampled(pending.seq, self._sample_every):
                samples.append(self._sample(pending))
        if self._pending:
            of_strategy = self._pending[-1].telemetry
            self.metrics = {**self.metrics, **self.measures.values(), **of_strategy}
        closed = tuple(pages), tuple(self._failures), tuple(samples), tuple(self._events)
        self._pending, self._failures, self._events = [], [], []
        return closed

    def _verdicts(self) -> list[Verdict | None]:
        if self._committee is None:
            return [pending.verdict for pending in self._pending]
        memory = self._committee.of_pages
        known = [pending.verdict or memory.known(pending.document) for pending in self._pending]
        unknown = [i for i, verdict in enumerate(known) if verdict is None]
        visits = [self._pending[i].visit for i in unknown]
        texts = [visit.tokens[: visit.document.visible] for visit in visits]
        verdicts = self._committee.judge(TokenRows.of(texts)) if texts else ()
        for i, verdict in zip(unknown, verdicts, strict=True):
            known[i] = verdict
            memory.remember(self._pending[i].document, verdict)
        return known

    def _judged(self, pending: Pending, verdict: Verdict | None) -> JudgedPage:
        answer = pending.answer
        return JudgedPage(
            seq=pending.seq,
            url=answer.url,
            final_url=answer.final_url,
            hops=answer.hops,
            seed=pending.visit.parent < 0,
            verdict=verdict,
            label=self._labels(answer.final_url),
            topicality=pending.judgement.topicality,
            status_log=pending.judgement.status_log,
            inlinks=self._inlinks(answer.final_url),
            requests=pending.requests,
            waiting=pending.waiting,
        )

    def _sample(self, pending: Pending) -> SampleRecord:
        metrics = {
            **self.measures.values(),
            **pending.telemetry,
            "pages": pending.seq,
            "waiting": pending.waiting,
            "requests": pending.requests,
            "errors": pending.errors,
        }
        return SampleRecord(pending.seq, metrics)

    def state(self) -> dict[str, Any]:
        """The measures and counts, for a checkpoint. No page may be pending."""
        return {
            "measures": self.measures.state(),
            "errors": dict(self.errors),
            "metrics": self.metrics,
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.measures.restore(state["measures"])
        self.errors = Counter(state["errors"])
        self.metrics = state["metrics"]


def _page_record(pending: Pending, verdict: Verdict | None, target: bool) -> PageRecord:
    visit, document = pending.visit, pending.document
    return PageRecord(
        seq=pending.seq,
        request=pending.request,
        number=visit.url_number,
        answer=pending.answer,
        host=pending.host,
        title=document.title,
        words=document.visible,
        canonical=document.canonical or "",
        needs_javascript=document.needs_javascript,
        topicality=pending.judgement.topicality,
        status=pending.judgement.status,
        status_log=pending.judgement.status_log,
        verdict=verdict,
        target=target,
        seed=visit.parent < 0,
        priority=pending.priority,
        parent=visit.parent,
        depth=visit.depth,
        record=pending.record,
        outlinks=_int32(visit.link_numbers),
        telemetry=pending.telemetry,
        contexts=pending.contexts,
    )


def _int32(numbers: Any) -> Ints:
    return np.asarray(numbers, dtype=np.int32)
