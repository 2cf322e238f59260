"""The answers of later visits that a page has not changed, as records of an archive."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from apps.crawls.models import Crawl, FailedRequest, Page, RevisitPlan
from apps.engine.codes import Failure
from apps.engine.frontier.revisits import DueAddress
from apps.engine.networking.page_store import pack_revisit, read_record


class Revisit(NamedTuple):
    """A record: the address and the moment of the answer, in Unix seconds, the digest of the page
    that it repeats."""

    url: str
    fetched_at: float
    digest: str
    data: bytes


class RevisitRecords:
    """Those of the visits among some crawls, by the copies that they repeat."""

    def __init__(self, crawls: Sequence[Crawl]) -> None:
        self._by_copy: defaultdict[tuple[int, int], list[tuple[int, str]]] = defaultdict(list)
        plans = RevisitPlan.objects.filter(crawl__in=[crawl.pk for crawl in crawls])
        for visit, due in plans.values_list("crawl", "due"):
            for address in (DueAddress(*row) for row in due):
                if address.crawl and address.seq:
                    self._by_copy[address.crawl, address.seq].append((visit, address.url))

    def of(self, page: Page, record: bytes) -> Iterator[Revisit]:
        """The visits that were answered that the page is as its copy, whose stored record is
        given."""
        asked = self._by_copy.get((page.crawl_id, page.seq))
        if not asked:
            return
        original = read_record(record)
        for crawl, url in asked:
            rows = FailedRequest.objects.filter(crawl=crawl, kind=Failure.NOT_MODIFIED, url=url)
            for at in rows.values_list("at", flat=True):
                data = pack_revisit(at.timestamp(), original, page.digest)
                yield Revisit(original.final_url, at.timestamp(), page.digest, data)
