"""Records the pages, failures and events since the last batch, and has the committee judge them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from apps.engine.crawl.sampling import is_sampled
from apps.engine.evaluation import Measures
from apps.engine.evaluation.measure import GroundTruth, JudgedPage
from apps.engine.events import EventRecord, FailureRecord, PageRecord, SampleRecord
from apps.engine.intelligence.classifying.page_memory import PageMemory
from apps.engine.model import Ints, PageKey, TokenRows, Verdict

Labels = Callable[[str], bool | None]
Inlinks = Callable[[str], int | None]
NEEDS_JAVASCRIPT = "needs_javascript"
"""The number, beside those of the measures, of pages that need JavaScript."""
NO_TEXT = "no_text"
"""The same of documents without text, which are not judged either."""


class Judges(Protocol):
    """The committee, or another judge that is independent of the strategy."""

    of_pages: PageMemory[Verdict]

    @property
    def judged_by(self) -> str: ...

    def judge(self, pages: TokenRows) -> Sequence[Verdict]: ...


class Pending(NamedTuple):
    """A page that has not been judged, and what its verdict and its sample need: its `text` as
    token ids, the `key` under which judgements of it may be remembered, and how many URLs waited.

    Without its document: those of a whole batch would not fit into the processor's caches.
    """

    record: PageRecord
    text: Ints
    key: PageKey | None
    waiting: int


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
        self.measures = Measures(
            truth, by_guide=committee is not None and committee.judged_by == "guiding_classifier"
        )
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

    def count(self, counts: Mapping[str, float]) -> None:
        """Sets numbers of the crawl that are recorded besides its measures."""
        self.metrics = {**self.metrics, **counts}

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
            judged = self._judged_page(pending, verdict)
            page = pending.record
            page.verdict, page.target = verdict, bool(self.measures.recall.hits(judged))
            self.measures.update(judged)
            pages.append(page)
            if is_sampled(judged.seq, self._sample_every):
                samples.append(self._sample(pending))
        if self._pending:
            of_strategy = self._pending[-1].record.telemetry
            self.metrics = {
                **self.metrics,
                **self.measures.values(),
                **of_strategy,
                **self._pages_without_text(),
            }
        closed = tuple(pages), tuple(self._failures), tuple(samples), tuple(self._events)
        self._pending, self._failures, self._events = [], [], []
        return closed

    def _pages_without_text(self) -> dict[str, int]:
        """How many pages of the crawl so far show their text only by script, and how many documents
        have none."""
        records = [pending.record for pending in self._pending]
        now = {
            NEEDS_JAVASCRIPT: sum(record.needs_javascript for record in records),
            NO_TEXT: sum(record.has_no_text for record in records),
        }
        return {name: int(self.metrics.get(name) or 0) + more for name, more in now.items()}

    def _verdicts(self) -> list[Verdict | None]:
        """One for each page; None for a page without text: it needs JavaScript, or is scanned."""
        if self._committee is None:
            return [pending.record.verdict for pending in self._pending]
        memory = self._committee.of_pages
        verdicts = [
            one.record.verdict or (memory.lookup(one.key) if _has_text(one) else None)
            for one in self._pending
        ]
        unjudged = [
            i
            for i, verdict in enumerate(verdicts)
            if verdict is None and _has_text(self._pending[i])
        ]
        texts = [self._pending[i].text for i in unjudged]
        judged = self._committee.judge(TokenRows.of(texts)) if texts else ()
        for i, verdict in zip(unjudged, judged, strict=True):
            verdicts[i] = verdict
            memory.remember(self._pending[i].key, verdict)
        return verdicts

    def _judged_page(self, pending: Pending, verdict: Verdict | None) -> JudgedPage:
        page = pending.record
        answer = page.answer
        return JudgedPage(
            seq=page.seq,
            url=answer.url,
            final_url=answer.final_url,
            hops=answer.hops,
            seed=page.seed,
            verdict=verdict,
            label=self._labels(answer.final_url),
            topicality=page.topicality,
            status_log=page.status_log,
            inlinks=self._inlinks(answer.final_url),
            requests=page.request,
            waiting=pending.waiting,
        )

    def _sample(self, pending: Pending) -> SampleRecord:
        page = pending.record
        metrics = {
            **self.measures.values(),
            **page.telemetry,
            "pages": page.seq,
            "waiting": pending.waiting,
            "requests": page.request,
            "errors": page.request - page.seq,
        }
        return SampleRecord(page.seq, metrics)

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


def _has_text(pending: Pending) -> bool:
    """Whether there is a text to judge."""
    return not (pending.record.needs_javascript or pending.record.has_no_text)
