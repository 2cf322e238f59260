"""What a database would hold of an engine's crawl."""

from __future__ import annotations

from collections.abc import AsyncIterator

from apps.engine.crawl.relearning.lessons import KIND as LABELS
from apps.engine.crawl.resuming import CrawlRecords, PastRequest
from apps.engine.events import Batch, EventRecord
from apps.engine.frontier.url_states import UrlState
from tests.engine.crawl.crawls import CHANGE_KINDS


class Rows:
    """What a database would hold after each commit."""

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.states: list[UrlState] = []
        self.past: list[PastRequest] = []
        self.events: list[EventRecord] = []

    def commit(self, batch: Batch) -> None:
        for entry in batch.discovered:
            assert entry.number == len(self.urls)
            self.urls.append(entry.url)
            self.states.append(entry.state)
        for changed in batch.changed:
            self.states[changed.number] = changed.state
        self.past += [
            PastRequest(p.request, p.number, p.answer, p.verdict, p.record, site_lists=p.site_lists)
            for p in batch.pages
        ]
        self.past += [
            PastRequest(f.request, f.number, f.answer, links=f.links, site_list=f.site_list)
            for f in batch.failures
        ]
        self.past.sort(key=lambda request: request.request)
        self.events += batch.events

    def records(self) -> CrawlRecords:
        changes = [event for event in self.events if event.kind in (*CHANGE_KINDS, LABELS)]
        return CrawlRecords(self.urls, self.states, changes, {})

    async def after(self, request: int) -> AsyncIterator[PastRequest]:
        for past in self.past:
            if past.request > request:
                yield past
