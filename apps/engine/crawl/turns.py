"""One iteration of the loop, from an answer to the queued links (steps 3 to 8 of `apps/engine`)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from apps.engine.codes import Failure
from apps.engine.crawl.guide import Guide
from apps.engine.crawl.limits import Limits
from apps.engine.crawl.plan import Plan
from apps.engine.crawl.polite_fetcher import PoliteFetcher
from apps.engine.crawl.ranking import rank_again
from apps.engine.crawl.recording import Pending, Recorder
from apps.engine.crawl.retry_policy import retry_or_fail, seconds_to_rest
from apps.engine.crawl.trapping import KIND as TRAP
from apps.engine.crawl.trapping import watch
from apps.engine.events import EventRecord, FailureRecord, PageRecord
from apps.engine.frontier.queue import Frontier
from apps.engine.model import Answer, Document, Judgement, Verdict, Visit
from apps.engine.networking.page_store import PageStoreWriter
from apps.engine.networking.politeness import is_block

LINKS_CUT = "links_cut"
RecordPlace = tuple[str, int, int, str]  # file, offset, length and digest in the page store


class Turns:
    """Processes the answers of a crawl one by one.

    `guide` is the current guide; hosts that answered are added to `touched`. `reorder_seconds` is
    the processor time spent on re-scoring the frontier.
    """

    def __init__(
        self,
        *,
        guide: Guide,
        plan: Plan,
        limits: Limits,
        frontier: Frontier,
        fetcher: PoliteFetcher,
        recorder: Recorder,
        store: PageStoreWriter | None,
        touched: set[str],
        clock: Callable[[], float],
    ) -> None:
        self.guide = guide
        self.reorder_seconds = 0.0
        self._plan = plan
        self._limits = limits
        self._frontier = frontier
        self._fetcher = fetcher
        self._recorder = recorder
        self._store = store
        self._touched = touched
        self._clock = clock

    def apply(
        self,
        number: int,
        answer: Answer,
        parsed: Document | None = None,
        *,
        verdict: Verdict | None = None,
        record: RecordPlace | None = None,
    ) -> None:
        """Processes one answer; `parsed` is its document if it has been parsed already.

        Only a replay passes `verdict` and `record`.
        """
        self._limits.requests += 1
        failure = answer.failure or self.refusal(number, answer)
        document = None if failure else self.guide.reader.document(answer, parsed)
        if document is not None and document.noindex and self._fetcher.robots is not None:
            failure, document = Failure.NOINDEX, None
        host = self._frontier.host_of(number)
        self._touched.add(host.name)
        now, wait = self._clock(), 0.0
        if not self._plan.recorded:
            wait = seconds_to_rest(host, answer, failure, self._plan.politeness)
        if document is None:
            lost = replace(answer, failure=failure, body=b"", document=None, packed=None)
            self._fail(number, lost, now, wait)
            return
        self._limits.pages += 1
        self._frontier.fetched(number, now, now + wait)
        if answer.final_url != answer.url:
            self._frontier.answered_elsewhere(number, answer.final_url)
        if record is None and self._store is not None:
            stored = self._store.append(answer)
            record = stored.file, stored.offset, stored.length, stored.digest
        self._learn(number, answer, document, verdict, record)

    def refusal(self, number: int, answer: Answer) -> str | None:
        """Why a successful answer is not a page of the crawl, or None if it is.

        Without a body, the answer's agent has seen that its page is none that blocks."""
        known = self._frontier.page_at(answer.final_url)
        if known is not None and known != number:
            return Failure.REDIRECT_TO_KNOWN
        return Failure.BLOCK_PAGE if answer.body and is_block(answer) else None

    def _fail(self, number: int, answer: Answer, now: float, wait: float) -> None:
        """Records a request without a page; its URL may be tried again."""
        if self._plan.recorded:
            self._frontier.failed(number, now, now + wait)
        else:
            retry_or_fail(
                self._frontier, number, answer, self._plan.politeness, now=now, wait=wait,
                until_rules=self._fetcher.seconds_until_rules(answer.final_url),
            )
        host = self._frontier.host_of(number).name
        self._recorder.failure(FailureRecord(self._limits.requests, number, answer, host))

    def _note(self, kind: str, payload: dict[str, Any]) -> None:
        self._recorder.event(EventRecord(self._limits.requests, self._limits.pages, kind, payload))

    def _learn(
        self,
        number: int,
        answer: Answer,
        document: Document,
        verdict: Verdict | None,
        record: RecordPlace | None,
    ) -> None:
        """Steps 4 to 8: judge, learn, score the links, queue them."""
        frontier, strategy, reader = self._frontier, self.guide.strategy, self.guide.reader
        known = len(frontier)
        visit, judgement = reader.visit(answer, document, number, frontier, self._limits.pages)
        strategy.learn(visit)
        frontier.offer(visit.link_numbers, strategy.score_links(visit), number, self._clock())
        if beyond := len(document.links) - len(visit.links):
            cut = {"url": visit.url, "links": len(visit.links), "beyond": beyond}
            self._note(LINKS_CUT, cut)
        for payload in watch(frontier, visit, known):
            self._note(TRAP, payload)
        self._record(visit, judgement, answer, verdict, record)
        if strategy.reorder_due(self._limits.pages):
            self.reorder()

    def _record(
        self,
        visit: Visit,
        judgement: Judgement,
        answer: Answer,
        verdict: Verdict | None,
        place: RecordPlace | None,
    ) -> None:
        """Records a page whose links have been queued, without its document and its packed record,
        which are large."""
        frontier, document, number = self._frontier, visit.document, visit.url_number
        page = PageRecord(
            seq=self._limits.pages,
            request=self._limits.requests,
            number=number,
            answer=_without_page(answer),
            host=frontier.host_of(number).name,
            title=document.title,
            words=document.visible,
            canonical=document.canonical or "",
            needs_javascript=document.needs_javascript,
            topicality=judgement.topicality,
            status=judgement.status,
            status_log=judgement.status_log,
            seed=visit.parent < 0,
            priority=frontier.priority[number],
            parent=visit.parent,
            depth=visit.depth,
            record=place,
            outlinks=visit.link_numbers.astype(np.int32),
            telemetry=self.guide.strategy.telemetry(),
            contexts=self.guide.reader.pack(visit) if self._plan.keeps_rows else b"",
            verdict=verdict,
        )
        self._recorder.page(Pending(page, visit.text, document.key, frontier.waiting))

    def reorder(self) -> None:
        """Has the strategy re-score the whole frontier, and adds up the time it takes."""
        began = time.process_time()
        rank_again(self.guide.strategy, self._frontier, self._clock())
        self.reorder_seconds += time.process_time() - began


def _without_page(answer: Answer) -> Answer:
    if answer.document is None and answer.packed is None:
        return answer
    return replace(answer, document=None, packed=None)
