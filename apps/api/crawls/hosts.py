"""The hosts of a crawl, its failed requests and its frontier."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Query, Router, Schema

from apps.accounts.requests import SignedInRequest
from apps.api.crawls.crawls import visible
from apps.api.paging import ListPage, Paging, PagingQuery, Word, paged
from apps.api.refusals import Refusal
from apps.crawls.models import Crawl, FailedRequest, HostRecord
from apps.webs.messages import failure_words

router = Router(tags=["hosts"])


class HostOut(Schema):
    """A host of a crawl; `relevant` is null where no page was judged, `delay` is the pause in
    seconds, `blocked` why no more requests are sent, `excluded` whether a person excluded it."""

    host: str
    pages: int
    relevant: int | None
    waiting: int
    needs_javascript: int
    failures: int
    errors: dict[str, int]
    delay: float
    next_allowed: datetime | None
    blocked: str
    excluded: bool


class HostPage(ListPage):
    items: list[HostOut]


class FailureOut(Schema):
    """A request that yielded no page; `text` is its kind in words."""

    request: int
    url: str
    final_url: str
    host: str
    kind: str
    text: str
    detail: str
    at: datetime


class FailurePage(ListPage):
    items: list[FailureOut]


class FailureFilter(Paging):
    """Selects failures of one kind."""

    kind: Word | None = None


class WaitingOut(Schema):
    """A link at the head of the frontier; `wait` is how many seconds until its host may be
    requested, `leading_term` the term of the strategy that raises it most, or empty."""

    number: int
    url: str
    priority: float
    parents: int | None = None
    wait: float | None = None
    leading_term: str | None = None


@router.get("/{int:crawl_id}/hosts", response={200: HostPage, 404: Refusal}, summary="List hosts")
def list_hosts(request: SignedInRequest, crawl_id: int, paging: PagingQuery) -> Any:
    """Every host of the crawl, those with the most pages first."""
    crawl = visible(request, crawl_id)
    rows = HostRecord.objects.filter(crawl=crawl)
    return paged(rows.order_by("-pages", "host"), paging, lambda row: _host(row, crawl))


@router.get(
    "/{int:crawl_id}/failures",
    response={200: FailurePage, 404: Refusal},
    summary="List failed requests",
)
def list_failures(request: SignedInRequest, crawl_id: int, wanted: Query[FailureFilter]) -> Any:
    """The requests that yielded no page, latest first."""
    rows = FailedRequest.objects.filter(crawl=visible(request, crawl_id)).order_by("-request")
    if wanted.kind is not None:
        rows = rows.filter(kind=wanted.kind)
    return paged(rows, wanted, _failure)


@router.get(
    "/{int:crawl_id}/queue",
    response={200: list[WaitingOut], 404: Refusal},
    summary="Show the head of the frontier",
)
def queue_head(request: SignedInRequest, crawl_id: int) -> Any:
    """Up to a hundred links, best first; the export `queue` has all of them."""
    return visible(request, crawl_id).queue_head


def _host(record: HostRecord, crawl: Crawl) -> dict[str, Any]:
    values = {name: getattr(record, name) for name in HostOut.model_fields}
    return values | {"relevant": record.relevant if record.count_judged(crawl) else None}


def _failure(failed: FailedRequest) -> dict[str, Any]:
    values = {n: getattr(failed, n) for n in FailureOut.model_fields if n != "text"}
    return values | {"text": failure_words(failed.kind)}
