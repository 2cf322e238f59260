"""Every request that the crawls of a topic have sent to a host, from the rows that exist."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import pairwise, starmap
from typing import Any, NamedTuple

from django.db.models import CharField, F, FloatField, IntegerField, Q, QuerySet, Value
from django.db.models.functions import Cast

from apps.crawls.models import Crawl, FailedRequest, HostRequest, Page
from apps.crawls.selectors import many_crawls
from apps.engine.codes import Failure, SentFor

NEVER_SENT = (
    Failure.ROBOTS,
    Failure.ROBOTS_UNREACHABLE,
    Failure.REDIRECT_OUT_OF_SCOPE,
    Failure.ADDRESS_REFUSED,
)
"""Kinds of failures without a request, in rows from before that was recorded."""
_COLUMNS = (
    "crawl_id",
    "sent_at",
    "row_url",
    "answered",
    "row_size",
    "fault",
    "wanted",
    "asked_pause",
    "page_number",
)


class AskedRequest(NamedTuple):
    """One request: `at` is when it was sent, `size` that of the answer's body in bytes. Without an
    answer `status` is None; `failure` is why it gave no page. `seq` numbers the page that it
    brought. `gap` are the seconds since the crawl's last request to the host, None for its
    first."""

    crawl: int
    at: datetime
    url: str
    status: int | None
    size: int
    failure: str
    purpose: str
    retry_after: float | None
    seq: int | None
    gap: float | None = None


def sending_crawls(crawls: QuerySet[Crawl]) -> list[Crawl]:
    """The crawls that send requests to hosts, oldest first."""
    in_order = many_crawls(crawls.order_by("pk"))
    return [crawl for crawl in in_order if crawl.source.sends_requests]


def requests_to(host: str, crawls: Sequence[Crawl]) -> list[AskedRequest]:
    """The requests in the order in which they were sent."""
    rows = _rows(host, [crawl.pk for crawl in crawls])
    in_order = sorted(starmap(AskedRequest, rows), key=lambda row: (row.at, row.crawl))
    return list(_with_gaps(in_order))


def _rows(host: str, keys: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    of_host = {"crawl__in": keys, "host": host}
    none = Cast(Value(None), FloatField())
    pages = Page.every.filter(**of_host, in_hops=False).annotate(
        sent_at=F("fetched_at"),
        row_url=F("url"),
        answered=F("http_status"),
        row_size=F("size"),
        fault=Value("", CharField()),
        wanted=Value(SentFor.PAGE.value, CharField()),
        asked_pause=none,
        page_number=F("seq"),
    )
    failed = FailedRequest.objects.filter(_was_sent(), **of_host).annotate(
        sent_at=F("at"),
        row_url=F("url"),
        answered=F("status"),
        row_size=F("size"),
        fault=F("kind"),
        wanted=Value(SentFor.PAGE.value, CharField()),
        asked_pause=F("retry_after"),
        page_number=Cast(Value(None), IntegerField()),
    )
    others = HostRequest.objects.filter(**of_host).annotate(
        sent_at=F("at"),
        row_url=F("url"),
        answered=F("status"),
        row_size=F("size"),
        fault=F("failure"),
        wanted=F("purpose"),
        asked_pause=F("retry_after"),
        page_number=Cast(Value(None), IntegerField()),
    )
    for rows in (pages, failed, others):
        yield from rows.order_by().values_list(*_COLUMNS).iterator()


def _was_sent() -> Q:
    return Q(in_hops=False) | (Q(in_hops=None) & ~Q(kind__in=NEVER_SENT))


def _with_gaps(requests: Iterable[AskedRequest]) -> Iterator[AskedRequest]:
    last: dict[int, datetime] = {}
    for request in requests:
        before = last.get(request.crawl)
        last[request.crawl] = request.at
        gap = None if before is None else (request.at - before).total_seconds()
        yield request._replace(gap=gap)


def followed(requests: Sequence[AskedRequest]) -> Iterator[tuple[AskedRequest, AskedRequest]]:
    """Each request with the next one of the same crawl."""
    by_crawl: dict[int, list[AskedRequest]] = {}
    for request in requests:
        by_crawl.setdefault(request.crawl, []).append(request)
    for rows in by_crawl.values():
        yield from pairwise(rows)
