"""A web read from disk instead of the network, and what every such web answers.

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
from pathlib import Path
from typing import Protocol

from apps.engine.errors import BadWebFile
from apps.engine.model import Answer, Failure
from apps.engine.networking.content import judge
from apps.engine.networking.fetcher import Gate
from apps.engine.networking.page_store import PageStore, Record
from apps.engine.networking.redirects import Way
from apps.engine.urls import host

INDEX = "index.sqlite"
VERSION = 1


class Web(Protocol):
    """A web that answers without a network: recorded, or generated page by page."""

    @property
    def hosts(self) -> Set[str]:
        """The hosts that exist, as `urls.host` writes them."""

    @property
    def count(self) -> int:
        """How many pages there are, redirects not counted."""

    def get(self, url: str) -> Answer:
        """One exchange, redirects NOT followed: what that canonical URL answers.

        A page is its status, headers and body; a redirect a 301 with a Location header; an
        unknown URL of a known host the failure `http_404` with status 404; an unknown host the
        failure `dns`.
        """

    def labels(self, url: str) -> tuple[str, ...]:
        """The topic labels of a page; empty where there are none."""

    def urls(self) -> Iterator[str]:
        """The canonical URL of every page, redirects left out, always in the same order."""


class VirtualWeb:
    """A recorded web opened for reading.

    Raises BadWebFile where the directory holds no finished web of this version.
    """

    def __init__(self, directory: Path | str) -> None:
        self.directory = Path(directory)
        self._index = _open(self.directory / INDEX)
        self._store = PageStore(self.directory)
        self.hosts: Set[str] = frozenset(
            name for (name,) in self._index.execute("SELECT host FROM hosts")
        )
        (self.count,) = self._index.execute("SELECT count(*) FROM pages").fetchone()

    def get(self, url: str) -> Answer:
        """One exchange, as `Web.get` says."""
        row = self._index.execute(
            "SELECT file, offset, length, digest FROM pages WHERE url = ?", (url,)
        ).fetchone()
        if row:
            return replace(self._store.read(Record(*row)), url=url, final_url=url)
        row = self._index.execute(
            "SELECT target FROM redirects WHERE source = ?", (url,)
        ).fetchone()
        if row:
            return Answer(url, url, status=301, headers=(("Location", row[0]),))
        if host(url) in self.hosts:
            return Answer(url, url, status=404, failure="http_404")
        return Answer(url, url, failure=str(Failure.DNS), detail="no such host in this web")

    def labels(self, url: str) -> tuple[str, ...]:
        """The topic labels of a page, in the file's order; empty where it has none."""
        row = self._index.execute("SELECT topics FROM pages WHERE url = ?", (url,)).fetchone()
        return tuple(json.loads(row[0])) if row else ()

    def label_counts(self) -> dict[str, int]:
        """How many pages have each topic label, the most frequent first."""
        counts: Counter[str] = Counter()
        for topics, pages in self._index.execute(
            "SELECT topics, count(*) FROM pages GROUP BY topics"
        ):
            counts.update(dict.fromkeys(json.loads(topics), pages))
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def split(self, url: str) -> str | None:
        """The named part of the web a page belongs to (WebKB: the university), if it has one."""
        row = self._index.execute("SELECT split FROM pages WHERE url = ?", (url,)).fetchone()
        return row[0] if row else None

    def urls(self) -> Iterator[str]:
        """Every page's canonical URL, in the order of the file the web was made from."""
        rows = self._index.execute("SELECT url FROM pages ORDER BY number")
        return (url for (url,) in rows)

    def redirects(self) -> Iterator[tuple[str, str]]:
        """Every redirect as (source, target)."""
        return iter(self._index.execute("SELECT source, target FROM redirects ORDER BY source"))

    def close(self) -> None:
        self._index.close()
        self._store.close()


class RecordedFetcher:
    """Fetches from a `Web`: no network, no waiting, always the same answers.

    `max_body` caps the bytes of a body (LC: 10 KB); None reads it whole.
    """

    def __init__(self, web: Web, max_body: int | None = None) -> None:
        self._web = web
        self._max_body = max_body

    async def fetch(
        self, url: str, gate: Gate | None = None, *, any_type: bool = False
    ) -> Answer:
        """The answer over all redirects, as `fetcher.Fetcher` says."""
        way, answer = Way(url), None
        while answer is None:
            refused = await gate(way.current) if gate else None
            if refused:
                return way.stopped(refused)
            answer = way.after(self._web.get(way.current))
        answer = replace(answer, fetched_at=time.time())
        return answer if any_type else cut(judge(answer), self._max_body)

    async def close(self) -> None:
        """Nothing is open; the web belongs to the caller."""


def cut(answer: Answer, max_body: int | None) -> Answer:
    """The answer with no more than so many bytes of its body."""
    if max_body is None or len(answer.body) <= max_body:
        return answer
    return replace(answer, body=answer.body[:max_body], truncated=True)


def read(web: Web, url: str) -> Answer:
    """The answer of a web to a URL over all redirects, at once: for examples and labels."""
    way, answer = Way(url), None
    while answer is None:
        answer = way.after(web.get(way.current))
    return judge(answer)


def _open(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise BadWebFile(f"{path.parent.name} holds no finished web: import it again")
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
