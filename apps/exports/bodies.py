"""The stored answers behind a crawl's pages."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

from apps.crawls.models import Crawl, Page
from apps.crawls.webs import crawl_folder, open_web
from apps.engine.errors import BadWebFile
from apps.engine.model import Answer
from apps.engine.networking.page_store import PageStore, Record
from apps.engine.networking.virtual_web import VirtualWeb, read


class Bodies:
    """Reads a crawl's pages from its page store, or from the recorded web it crawled.

    Used as a context. Raises BadWebFile where the web cannot be opened.
    """

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._store = PageStore(crawl_folder(crawl.pk))
        self._web = open_web(crawl.web) if crawl.over == Crawl.Over.RECORD else None

    def answer(self, page: Page) -> Answer:
        """The page's answer. Raises BadWebFile where it is gone or damaged."""
        if self._web is None:
            return self._store.read(Record(page.file, page.offset, page.length, page.digest))
        answer = read(self._web, page.url)
        if answer.status is None:
            raise BadWebFile(f"page {page.seq} is not in {self._crawl.web} any more")
        return replace(answer, fetched_at=page.fetched_at.timestamp())

    def close(self) -> None:
        self._store.close()
        if isinstance(self._web, VirtualWeb):
            self._web.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class OpenBodies:
    """The stored answers of several crawls, one of them open at a time. Used as a context."""

    def __init__(self) -> None:
        self._crawl = 0
        self._bodies: Bodies | None = None

    def of(self, crawl: Crawl) -> Bodies:
        """Those of a crawl; what was open before is closed. Raises BadWebFile as Bodies does."""
        if self._bodies is None or self._crawl != crawl.pk:
            self.close()
            self._bodies, self._crawl = Bodies(crawl), crawl.pk
        return self._bodies

    def close(self) -> None:
        if self._bodies is not None:
            self._bodies.close()
            self._bodies = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
