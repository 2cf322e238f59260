"""The live Web for an experiment: each URL is requested once, politely, and then read from the
record by every cell.

Cells of a live experiment run one at a time, so one process at most holds the record.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from apps.engine.answers import Answer
from apps.engine.model import Serving
from apps.engine.networking.content import judge
from apps.engine.networking.fetcher import Fetcher
from apps.engine.networking.page_store.store import PageStore, PageStoreWriter, Record
from apps.engine.networking.politeness import TRANSIENT, Politeness
from apps.engine.networking.redirects import REDIRECT_STATUSES, Gate, follow
from apps.engine.networking.robots import rules
from apps.engine.networking.webs.virtual_web import cut
from apps.engine.urls import host

INDEX = "record.sqlite"
_TABLES = """
CREATE TABLE IF NOT EXISTS answers (
    url TEXT PRIMARY KEY, status INTEGER, failure TEXT, detail TEXT NOT NULL,
    headers TEXT NOT NULL, truncated INTEGER NOT NULL, fetched_at REAL NOT NULL,
    file TEXT NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL, digest TEXT NOT NULL
) WITHOUT ROWID
"""


class LiveRecord:
    """The answers of the live Web so far, without redirects followed, by canonical URL.

    An answer is in the record once it is on disk.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._index = sqlite3.connect(folder / INDEX, check_same_thread=False)
        self._index.execute("PRAGMA journal_mode = WAL")
        self._index.execute("PRAGMA synchronous = FULL")
        self._index.execute(_TABLES)
        self._store = PageStore(folder)
        self._writer: PageStoreWriter | None = None

    def get(self, url: str) -> Answer | None:
        """The recorded answer to a URL, or None. Raises BadWebFile if its body is damaged."""
        row = self._index.execute(
            "SELECT status, failure, detail, headers, truncated, fetched_at,"
            " file, offset, length, digest FROM answers WHERE url = ?",
            (url,),
        ).fetchone()
        if row is None:
            return None
        status, failure, detail, headers, truncated, at, *location = row
        body = self._store.read(Record(*location)).body if location[0] else b""
        return Answer(
            url,
            url,
            status=status,
            headers=tuple(map(tuple, json.loads(headers))),
            body=body,
            failure=failure,
            detail=detail,
            truncated=bool(truncated),
            fetched_at=at,
        )

    def add(self, answer: Answer) -> None:
        """Records the answer to one request; its body and then its row are on disk afterwards."""
        location = Record("", 0, 0, "")
        if answer.body and answer.status is not None:
            if self._writer is None:
                self._writer = PageStoreWriter(self._folder / f"{uuid.uuid4().hex}.warc.gz")
            location = self._writer.append(answer)
            self._writer.sync()
        with self._index:
            self._index.execute(
                "INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    answer.url,
                    answer.status,
                    answer.failure,
                    answer.detail,
                    json.dumps(answer.headers),
                    answer.truncated,
                    answer.fetched_at,
                    location.file,
                    location.offset,
                    location.length,
                    location.digest,
                ),
            )

    def __len__(self) -> int:
        return int(self._index.execute("SELECT count(*) FROM answers").fetchone()[0])

    def close(self) -> None:
        self._index.close()
        self._store.close()
        if self._writer is not None:
            self._writer.close()


class RecordingFetcher:
    """Reads what the record has and requests everything else, waiting for each host's turn.

    `web` fetches one URL without following redirects. `politeness` is that of the live Web; the
    Crawl-delay of a host is read from its recorded robots.txt. Temporary failures are retried
    before they are recorded. `clock` returns monotonic seconds.
    """

    def __init__(
        self,
        record: LiveRecord,
        web: Fetcher,
        politeness: Politeness,
        user_agent: str,
        max_body: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._record = record
        self._web = web
        self._politeness = politeness
        self._user_agent = user_agent
        self._max_body = max_body
        self._clock = clock
        self._next_at: dict[str, float] = {}
        self.requests = 0

    @property
    def cpu_seconds(self) -> float:
        """See `fetcher.Fetcher.cpu_seconds`."""
        return self._web.cpu_seconds

    @property
    def agents(self) -> Serving:
        """See `fetcher.Fetcher.agents`."""
        return self._web.agents

    async def fetch(
        self, url: str, gate: Gate | None = None, *, any_type: bool = False, spelling: str = ""
    ) -> Answer:
        """The answer after all redirects; see `fetcher.Fetcher.fetch`."""
        answer = await follow(url, gate, lambda request: self._exchange(request.url, any_type))
        return answer if any_type or answer.failure else cut(judge(answer), self._max_body)

    async def close(self) -> None:
        """Closes connections and the record."""
        await self._web.close()
        self._record.close()

    async def _exchange(self, url: str, any_type: bool) -> Answer:
        answer = self._record.get(url)
        if answer is None:
            answer = await self._request(url, any_type)
            self._record.add(answer)
        return answer

    async def _request(self, url: str, any_type: bool) -> Answer:
        delay = self._politeness.delay_for(self._crawl_delay(url))
        for retry in range(self._politeness.retries + 1):
            await self._wait(host(url))
            self.requests += 1
            answer = _unfollowed(await self._web.fetch(url, any_type=any_type))
            pause = self._politeness.delay_after(answer, delay, retry + 1)
            self._next_at[host(url)] = self._clock() + pause
            if answer.failure not in TRANSIENT:
                break
        return answer

    async def _wait(self, name: str) -> None:
        while (left := self._next_at.get(name, 0.0) - self._clock()) > 0:
            await asyncio.sleep(left)

    def _crawl_delay(self, url: str) -> float | None:
        parts = urlsplit(url)
        answer = self._record.get(f"{parts.scheme}://{parts.netloc}/robots.txt")
        return None if answer is None else rules.parse(answer, self._user_agent).crawl_delay


def _unfollowed(answer: Answer) -> Answer:
    """The answer to one request: a redirect is not a failure of its own."""
    if answer.status in REDIRECT_STATUSES:
        return replace(answer, url=answer.url, final_url=answer.url, failure=None, detail="")
    return answer
