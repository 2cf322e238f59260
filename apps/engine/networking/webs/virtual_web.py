"""Webs that are read from disk instead of the network, and their common interface.

A recorded web is a directory with WARC files and an index (SQLite: URL → record or redirect
target, topic labels). It is crawled through the same interface as the live Web (SLC §5.1, HCLA §5).
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Protocol

from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.errors import BadWebFile
from apps.engine.model import Serving
from apps.engine.networking.content import judge
from apps.engine.networking.page_store.store import PageStore, Record
from apps.engine.networking.redirects import (
    MAX_REDIRECTS,
    Gate,
    Request,
    follow,
    follow_recorded,
)
from apps.engine.networking.webs.added_labels import AddedLabels
from apps.engine.urls import host

INDEX = "index.sqlite"
VERSION = 1


class Web(Protocol):
    """A web without a network: recorded, or generated page by page."""

    @property
    def hosts(self) -> Set[str]:
        """The existing hosts, as spelled by `urls.host`."""

    @property
    def count(self) -> int:
        """The number of pages, without redirects."""

    def get(self, url: str) -> Answer:
        """The answer to one canonical URL, without following redirects.

        A page has its status, headers and body; a redirect is a 301 with a Location header; a
        URL that does not exist is the failure `http_404` with status 404, a host that does not
        exist the failure `dns`.
        """

    def page_at(self, url: str) -> str | None:
        """The page that a canonical URL leads to, itself or by redirects; None if it leads to
        none."""

    def labels(self, url: str) -> tuple[str, ...]:
        """The topic labels of a page; empty if it has none."""

    def urls(self) -> Iterator[str]:
        """The canonical URLs of all pages, without redirects, in a fixed order."""


class VirtualWeb:
    """A recorded web opened for reading, with the labels that were added to its pages since.

    Raises BadWebFile if the directory has no finished web of this version.
    """

    def __init__(self, directory: Path | str, added: AddedLabels | None = None) -> None:
        self.directory = Path(directory)
        self._added = added
        self._index = _open(self.directory / INDEX)
        self._store = PageStore(self.directory)

    @cached_property
    def hosts(self) -> Set[str]:
        """The existing hosts; see `Web.hosts`."""
        return frozenset(name for (name,) in self._index.execute("SELECT host FROM hosts"))

    @cached_property
    def count(self) -> int:
        """The number of pages, all of which are counted: a reader of a few does not ask for it."""
        (pages,) = self._index.execute("SELECT count(*) FROM pages").fetchone()
        return int(pages)

    def get(self, url: str) -> Answer:
        """The answer to one canonical URL; see `Web.get`."""
        if (stored := self.stored(url)) is not None:
            return stored.as_page()
        row = self._index.execute(
            "SELECT target FROM redirects WHERE source = ?", (url,)
        ).fetchone()
        if row:
            return Answer(url, url, status=301, headers=(("Location", row[0]),))
        if host(url) in self.hosts:
            return Answer(url, url, status=404, failure="http_404")
        return Answer(url, url, failure=str(Failure.DNS), detail="no such host in this web")

    def stored(self, url: str) -> Answer | None:
        """The answer of a page as it was stored: of a document its own bytes, beside the page that
        it was converted to. None without one."""
        row = self._index.execute(
            "SELECT file, offset, length, digest FROM pages WHERE url = ?", (url,)
        ).fetchone()
        return replace(self._store.read(Record(*row)), url=url, final_url=url) if row else None

    def captured_at(self, url: str) -> float | None:
        """When a page was copied from the Web, in Unix seconds, from the head of its record; None
        if that is unknown."""
        row = self._index.execute(
            "SELECT file, offset, length, digest FROM pages WHERE url = ?", (url,)
        ).fetchone()
        return (self._store.fetched_at(Record(*row)) or None) if row else None

    def page_at(self, url: str) -> str | None:
        """The page that a URL leads to; see `Web.page_at`."""
        for _ in range(1 + MAX_REDIRECTS):
            if self._index.execute("SELECT 1 FROM pages WHERE url = ?", (url,)).fetchone():
                return url
            row = self._index.execute(
                "SELECT target FROM redirects WHERE source = ?", (url,)
            ).fetchone()
            if row is None:
                return None
            (url,) = row
        return None

    def labels(self, url: str) -> tuple[str, ...]:
        """The topic labels of a page, in the file's order, then those added; empty if it has
        none."""
        row = self._index.execute("SELECT topics FROM pages WHERE url = ?", (url,)).fetchone()
        added = self._added.of(url) if self._added else ()
        return (*json.loads(row[0]), *added) if row else ()

    def added_labels(self) -> Iterator[tuple[str, str]]:
        """The labels that were added, as (URL, label)."""
        return self._added.pairs() if self._added else iter(())

    def label_counts(self) -> dict[str, int]:
        """The number of pages per topic label, the most frequent first."""
        counts: Counter[str] = Counter(self._added.counts() if self._added else ())
        for topics, pages in self._index.execute(
            "SELECT topics, count(*) FROM pages GROUP BY topics"
        ):
            counts.update(dict.fromkeys(json.loads(topics), pages))
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def labelled_count(self) -> int:
        """The number of pages with at least one topic label."""
        (pages,) = self._index.execute("SELECT count(*) FROM pages WHERE topics <> '[]'").fetchone()
        added = self._added.urls() if self._added else ()
        return int(pages) + sum(not self._has_own_label(url) for url in added)

    def _has_own_label(self, url: str) -> bool:
        row = self._index.execute(
            "SELECT 1 FROM pages WHERE url = ? AND topics <> '[]'", (url,)
        ).fetchone()
        return row is not None

    def split(self, url: str) -> str | None:
        """The split that a page belongs to (WebKB: the university), or None."""
        row = self._index.execute("SELECT split FROM pages WHERE url = ?", (url,)).fetchone()
        return row[0] if row else None

    def label_counts_by_split(self) -> dict[str, dict[str, int]]:
        """The number of pages per topic label of the file, for each split (HCLA Table 1)."""
        counts: dict[str, Counter[str]] = {}
        for split, topics, pages in self._index.execute(
            "SELECT split, topics, count(*) FROM pages WHERE split IS NOT NULL"
            " GROUP BY split, topics ORDER BY split"
        ):
            of_split = counts.setdefault(split, Counter())
            of_split.update(dict.fromkeys(json.loads(topics), pages))
        return {split: dict(of_split) for split, of_split in counts.items()}

    def urls(self) -> Iterator[str]:
        """The canonical URLs of all pages, in the order of the imported file."""
        rows = self._index.execute("SELECT url FROM pages ORDER BY number")
        return (url for (url,) in rows)

    def redirects(self) -> Iterator[tuple[str, str]]:
        """All redirects as (source, target)."""
        return iter(self._index.execute("SELECT source, target FROM redirects ORDER BY source"))

    def close(self) -> None:
        self._index.close()
        self._store.close()
        if self._added:
            self._added.close()


class RecordedFetcher:
    """Fetches from a `Web`: without network or delays, always with the same answers.

    `max_body` limits the bytes of a body (LC: 10 KB); None sets no limit.
    """

    cpu_seconds = 0.0
    agents = Serving()

    def __init__(self, web: Web, max_body: int | None = None) -> None:
        self._web = web
        self._max_body = max_body

    async def fetch(
        self, url: str, gate: Gate | None = None, *, any_type: bool = False, spelling: str = ""
    ) -> Answer:
        """The answer after all redirects; see `fetcher.Fetcher.fetch`."""
        answer = replace(await follow(url, gate, self._exchange), fetched_at=time.time())
        return answer if any_type else cut(judge(answer), self._max_body)

    async def close(self) -> None:
        """Does nothing; the caller closes the web."""

    async def _exchange(self, request: Request) -> Answer:
        return self._web.get(request.url)


def cut(answer: Answer, max_body: int | None) -> Answer:
    """The answer with at most `max_body` bytes of its body."""
    if max_body is None or len(answer.body) <= max_body:
        return answer
    return replace(answer, body=answer.body[:max_body], truncated=True)


def read(web: Web, url: str) -> Answer:
    """The answer of a web to a URL after all redirects, for examples and labels."""
    return judge(follow_recorded(url, web.get))


def _open(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise BadWebFile(f"{path.parent.name} has no complete web: import it again")
    index = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
    )
    try:
        row = index.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()
    except sqlite3.DatabaseError:
        index.close()
        raise BadWebFile(f"the index of {path.parent.name} cannot be read: it is damaged") from None
    if row is None or row[0] != str(VERSION):
        index.close()
        raise BadWebFile(f"{path.parent.name} was made by another version: import it again")
    return index
