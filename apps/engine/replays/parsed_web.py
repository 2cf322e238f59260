"""A recorded web whose pages are parsed once for all crawls of an experiment."""

from __future__ import annotations

import time
from collections.abc import Iterator, Set
from dataclasses import replace
from pathlib import Path

from apps.engine.answers import Answer
from apps.engine.model import Document, Serving
from apps.engine.networking.content import judge
from apps.engine.networking.redirects import Gate, Request, follow, follow_recorded
from apps.engine.networking.webs.virtual_web import RecordedFetcher, Web, cut
from apps.engine.parsing.document import parse
from apps.engine.replays.documents import Documents

MOST_REMEMBERED = 100_000


class ParsedWeb:
    """A recorded web with its pages as documents, from a folder that `preparing.prepare` made.

    Crawls through `fetcher` are, bit for bit, those through a `RecordedFetcher` of the same web,
    except that the body of an answer is empty where nothing in it is needed. `max_body` limits the
    bytes of a page (LC: 10 KB), as it did in the preparation. One object serves any number of
    crawls in a process. Raises OSError or ValueError if the folder is damaged.
    """

    def __init__(self, folder: Path, web: Web, max_body: int | None = None) -> None:
        self._documents = Documents(folder)
        self._web = web
        self._max_body = max_body
        self._other_answers: dict[str, Answer] = {}

    @property
    def hosts(self) -> Set[str]:
        """The existing hosts."""
        return self._web.hosts

    @property
    def count(self) -> int:
        """The number of pages, without redirects."""
        return self._web.count

    def urls(self) -> Iterator[str]:
        """The canonical URLs of all pages, without redirects, in a fixed order."""
        return self._web.urls()

    def labels(self, url: str) -> tuple[str, ...]:
        """The topic labels of a page; empty if it has none."""
        return self._documents.labels(url)

    def get(self, url: str) -> Answer:
        """The answer to one URL, without following redirects: a page without its body but with its
        document, or anything else as `Web.get`."""
        answer = self._documents.answer(url)
        if answer is None:
            answer = self._other_answers.get(url)
        return self._ask(url) if answer is None else answer

    def finished(self, answer: Answer) -> Answer:
        """The final answer of a fetch, judged and cut; a page has its document."""
        if answer.document is not None:
            return answer
        answer = replace(cut(judge(answer), self._max_body), fetched_at=time.time())
        if answer.failure:
            return answer
        return replace(answer, document=self._documents.document(answer.final_url))

    def fetcher(self) -> ParsedFetcher:
        """A fetcher for one crawl."""
        return ParsedFetcher(self, RecordedFetcher(self._web, self._max_body))

    def body_fetcher(self) -> RecordedFetcher:
        """A fetcher for a crawl that needs the bodies of pages."""
        return RecordedFetcher(self._web, self._max_body)

    def document(self, url: str) -> Document | None:
        """The page that a URL leads to over redirects, for examples; None if it leads to none."""
        answer = self.finished(follow_recorded(url, self.get))
        if answer.failure or answer.document is not None:
            return answer.document
        return parse(answer)

    def _ask(self, url: str) -> Answer:
        """An answer that is not in columns. Those without a body are remembered, since all crawls
        of the web meet the same redirects and dead links."""
        answer = self._web.get(url)
        if not answer.body:
            if len(self._other_answers) >= MOST_REMEMBERED:
                self._other_answers.clear()
            self._other_answers[url] = answer
        return answer


class ParsedFetcher:
    """Fetches the pages of a parsed web; see `fetcher.Fetcher`."""

    cpu_seconds = 0.0
    agents = Serving()

    def __init__(self, web: ParsedWeb, plain: RecordedFetcher) -> None:
        self._web = web
        self._plain = plain

    async def fetch(
        self, url: str, gate: Gate | None = None, *, any_type: bool = False, spelling: str = ""
    ) -> Answer:
        """The answer after all redirects, a page with its document."""
        if any_type:
            return await self._plain.fetch(url, gate, any_type=True)
        return self._web.finished(await follow(url, gate, self._exchange))

    async def close(self) -> None:
        """Does nothing; the caller closes the web."""

    async def _exchange(self, request: Request) -> Answer:
        return self._web.get(request.url)
