"""The answers of later visits that a page has not changed, as records of an archive."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from apps.crawls.models import Crawl, FailedRequest, Page, RevisitPlan
from apps.engine.codes import Failure
from apps.engine.frontier.revisits import DueAddress
from apps.engine.networking.page_store.records import pack_revisit, read_record

Answered = tuple[int, int, float]
"""The crawl and the number of the copy that an answer repeats, and its moment in Unix seconds."""


class Revisit(NamedTuple):
    """A record: the address and the moment of the answer, in Unix seconds, the digest of the page
    that it repeats."""

    url: str
    fetched_at: float
    digest: str
    data: bytes


class RevisitRecords:
    """The revisit records of the visits among some crawls, by the copies that they repeat.

    The visits are read with the first page that is asked for, one query each, into a table on disk:
    of many visits to many pages there are more answers than memory should hold. `close` deletes it.
    """

    def __init__(self, crawls: Sequence[Crawl]) -> None:
        self._crawls = frozenset(crawl.pk for crawl in crawls)
        self._table: sqlite3.Connection | None = None

    def of(self, page: Page, record: bytes) -> Iterator[Revisit]:
        """The visits answered by “not modified”, with the stored record of the page's copy."""
        if self._table is None:
            self._table = self._read_visits()
        query = "SELECT at FROM answered WHERE crawl = ? AND seq = ? ORDER BY rowid"
        moments = self._table.execute(query, (page.crawl_id, page.seq)).fetchall()
        if not moments:
            return
        original = read_record(record)
        for (at,) in moments:
            data = pack_revisit(at, original, page.digest)
            yield Revisit(original.final_url, at, page.digest, data)

    def close(self) -> None:
        if self._table is not None:
            self._table.close()

    def _read_visits(self) -> sqlite3.Connection:
        # A download goes on in whichever thread is free, one at a time.
        table = sqlite3.connect("", check_same_thread=False)
        table.execute("CREATE TABLE answered (crawl INTEGER, seq INTEGER, at REAL)")
        visits = RevisitPlan.objects.filter(crawl__in=self._crawls).order_by("crawl")
        for visit in list(visits.values_list("crawl", flat=True)):
            table.executemany("INSERT INTO answered VALUES (?, ?, ?)", self._answered(visit))
        table.execute("CREATE INDEX answered_by_copy ON answered (crawl, seq)")
        return table

    def _answered(self, visit: int) -> Iterator[Answered]:
        """The answers of a visit that a copy of the crawls had not changed."""
        due = RevisitPlan.objects.values_list("due", flat=True).get(crawl=visit)
        copies = {
            address.url: (address.crawl, address.seq)
            for address in (DueAddress(*row) for row in due)
            if address.seq and address.crawl in self._crawls
        }
        if not copies:
            return
        rows = FailedRequest.objects.filter(crawl=visit, kind=Failure.NOT_MODIFIED)
        answers: Iterator[tuple[str, datetime]] = rows.values_list("url", "at").iterator()
        for url, at in answers:
            if url in copies:
                yield *copies[url], at.timestamp()
