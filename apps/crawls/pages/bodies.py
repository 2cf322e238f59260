"""The one reader of page bodies: the answers to a crawl's requests, byte for byte."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Self

from apps.crawls.models import Crawl, Page
from apps.crawls.pages.folder import crawl_folder
from apps.crawls.pages.segments import UnsealedCopies
from apps.engine.answers import Answer
from apps.engine.errors import BadWebFile
from apps.engine.networking.page_store.store import PageStore, Record
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.webs.virtual_web import VirtualWeb, cut, read
from apps.engine.networking.webs.virtual_web import Web as EngineWeb
from apps.stored_files.files import is_elsewhere, local
from apps.webs.opening import open_web


class Bodies:
    """Reads a crawl's pages from its page store, or from the recorded web it crawled.

    Files are opened on demand. Use it as a context manager, or close it.
    """

    def __init__(self, crawl: Crawl) -> None:
        self._folder = crawl_folder(crawl.pk)
        self._store = PageStore(self._folder)
        self._unsealed = UnsealedCopies(crawl.pk)
        self._limit = Politeness(**crawl.politeness).page_bytes
        # Looked up here: pages are read inside an event loop, where the database cannot be queried.
        self._row = None if crawl.source.keeps_pages else crawl.web

    def answer(self, page: Page) -> Answer:
        """The page's answer; of a recorded web as much as the crawl read, with the moment of its
        capture, or of the crawl if the web does not know it.

        That to a page that was erased is empty. Raises BadWebFile if it is gone or damaged, or if
        the web cannot be opened.
        """
        if page.hidden and not page.digest:
            return Answer(page.url, page.final_url, page.http_status)
        if page.file:
            path = self.path(page)
            if path.parent == self._folder:
                return self._store.read(record_of(page))
            with closing(PageStore(path.parent)) as copies:
                return copies.read(record_of(page))
        web = self._web
        answer = read(web, page.url)
        if answer.failure:
            raise BadWebFile(f"{page.url} is not in {self._row} any more")
        moment = answer.fetched_at or page.fetched_at.timestamp()
        if answer.converted is not None and isinstance(web, VirtualWeb):
            document = web.stored(answer.final_url) or answer
            answer = replace(answer, headers=document.headers, body=document.body)
            return replace(answer, fetched_at=moment)
        return cut(replace(answer, fetched_at=moment), self._limit)

    def captured_at(self, page: Page) -> float | None:
        """When the page was copied from the Web, in Unix seconds; None if the recorded web does not
        know it. Raises BadWebFile."""
        if page.file:
            return page.fetched_at.timestamp()
        web = self._web
        return web.captured_at(page.final_url) if isinstance(web, VirtualWeb) else None

    def path(self, page: Page) -> Path:
        """The file that has the page, fetched to this machine if it is stored elsewhere. Nothing
        is there if it is gone. Raises StoreDown."""
        here = self._folder / page.file
        if not is_elsewhere():
            return here
        with suppress(FileNotFoundError):
            os.utime(here)  # for `trimming`
            return here
        # It may be sealed between the first two looks.
        looks: tuple[Callable[[], Path | None], ...] = (
            lambda: local(here),
            lambda: self._unsealed.path(page),
            lambda: local(here),
        )
        for look in looks:
            if (path := look()) is not None and path.exists():
                return path
        return here

    def packed(self, page: Page) -> bytes:
        """The stored record of a page byte for byte, a gzip member. Raises BadWebFile."""
        path = self.path(page)
        try:
            with path.open("rb") as file:
                data = os.pread(file.fileno(), page.length, page.offset)
        except OSError as error:
            raise BadWebFile(f"page {page.seq} cannot be read: {error.strerror}") from None
        if len(data) != page.length:
            raise BadWebFile(f"page {page.seq} cannot be read: {page.file} has been cut")
        return data

    @cached_property
    def _web(self) -> EngineWeb:
        if self._row is None:
            raise BadWebFile("a page of the crawl has no record")
        return open_web(self._row)

    def close(self) -> None:
        """Closes every file; later reads open them again."""
        self._store.close()
        self._unsealed.close()
        if isinstance(web := self.__dict__.pop("_web", None), VirtualWeb):
            web.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class OpenBodies:
    """The bodies of several crawls, opened on demand. Use it as a context manager, or close it."""

    def __init__(self) -> None:
        self._bodies: dict[int, Bodies] = {}

    def of(self, crawl: Crawl) -> Bodies:
        """The bodies of one crawl."""
        if crawl.pk not in self._bodies:
            self._bodies[crawl.pk] = Bodies(crawl)
        return self._bodies[crawl.pk]

    def close(self) -> None:
        """Closes every file."""
        while self._bodies:
            self._bodies.popitem()[1].close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def stored_answer(crawl: Crawl, page: Page) -> Answer:
    """The answer of a single page. Raises BadWebFile as `Bodies.answer`."""
    with Bodies(crawl) as bodies:
        return bodies.answer(page)


def record_of(page: Page) -> Record:
    """The position of the page's record in the crawl's page store."""
    return Record(page.file, page.offset, page.length, page.digest)
