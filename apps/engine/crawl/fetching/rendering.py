"""Rendering of the pages that show their text only by script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from apps.engine.answers import Answer, Converted
from apps.engine.codes import Failure
from apps.engine.crawl.fetching.host_gains import HostGains
from apps.engine.crawl.fetching.polite_fetcher import PoliteFetcher
from apps.engine.crawl.limits import Limits
from apps.engine.crawl.recording import Recorder
from apps.engine.kinds import DocumentKind
from apps.engine.model import Document
from apps.engine.networking.page_store.records import pack, with_body
from apps.engine.parsing.document import parse
from apps.engine.parsing.large_pages import LargePages, is_large
from apps.engine.parsing.processes import ParsingFailed
from apps.engine.parsing.rendering.renderer import Renderer
from apps.engine.urls import canonical, host_of_canonical

RENDERED, GAINED, PARTS = "rendered", "rendered_gained", "render_requests"
"""The numbers of pages rendered, of those that have a text since, and of the requests they made."""
PROCESSOR, CLOCK = "render_processor_seconds", "render_seconds"
"""The seconds that rendering took, of processor time and by the clock."""
MOST_CACHED = 32 * 2**20


class Rendering:
    """Renders the pages of one crawl. A script that several pages share is fetched once; a request
    counts towards the crawl's limit of requests."""

    def __init__(
        self,
        fetcher: PoliteFetcher,
        limits: Limits,
        recorder: Recorder,
        large_pages: LargePages,
        user_agent: str,
    ) -> None:
        self.renderer = Renderer(user_agent, self._fetch_part)
        self._fetcher = fetcher
        self._limits = limits
        self._recorder = recorder
        self._large_pages = large_pages
        self._gains = HostGains()
        self._parts: dict[str, Answer] = {}
        self._cached = 0

    async def read(self, answer: Answer, document: Document | None) -> tuple[Answer, Document]:
        """A page with its document; rendered if it needs scripts and its host is worth it. A page
        that could not be rendered, or gains nothing, stays as it was fetched."""
        document = document or parse(answer)
        host = host_of_canonical(answer.final_url)
        if not document.needs_javascript or not self._gains.is_worth(host):
            return answer, document
        rendered = await self._render(answer)
        cost = self.renderer.take_cost()
        self._count(PROCESSOR, cost.processor)
        self._count(CLOCK, cost.clock)
        gained = rendered is not None and not rendered[1].needs_javascript
        self._gains.learn(host, gained)
        self._count(RENDERED, rendered is not None)
        self._count(GAINED, gained)
        return rendered if rendered is not None and gained else (answer, document)

    async def _render(self, answer: Answer) -> tuple[Answer, Document] | None:
        page = await self.renderer.render(answer)
        if page is None:
            return None
        converted = Converted(DocumentKind.PAGE, page.html)
        whole = replace(with_body(answer), converted=converted, document=None, packed=None)
        try:
            if is_large(whole.as_page()):
                document = await self._large_pages.parse(whole)
            else:
                document = parse(whole)
        except ParsingFailed:
            return None
        return replace(whole, packed=pack(whole)), document

    async def _fetch_part(self, url: str) -> Answer:
        """The answer to a request of a page; scripts and data that came before come again."""
        key = canonical(url)
        if key is None:
            return Answer(url, url, failure=Failure.BAD_URL)
        if (answer := self._parts.get(key)) is not None:
            return answer
        if not self._limits.leave_room(0):
            return Answer(url, url, failure=Failure.INTERRUPTED)
        self._limits.parts += 1
        self._count(PARTS, True)
        answer = await self._fetcher.fetch_part(key, url)
        self._cached += len(answer.body)
        if self._cached > MOST_CACHED:
            self._parts.clear()
            self._cached = len(answer.body)
        self._parts[key] = answer
        return answer

    def _count(self, name: str, more: float) -> None:
        number = self._recorder.metrics.get(name) or 0
        self._recorder.count({name: round(number + more, 3)})

    def state(self) -> dict[str, Any]:
        """The state as plain values."""
        return {"gains": self._gains.state(), "parts": self._limits.parts}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        self._gains.restore(state["gains"])
        self._limits.parts = state["parts"]
