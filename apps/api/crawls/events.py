"""The events of a crawl, and its measures over time."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Query, Router, Schema
from pydantic import Field

from apps.accounts.requests import SignedInRequest
from apps.api.crawls.crawls import visible
from apps.api.paging import ListPage, PagingQuery, paged
from apps.api.refusals import Refusal
from apps.crawls.models import Event, Sample
from apps.crawls.summaries import metrics_of

router = Router(tags=["events"])
MOST_SAMPLES = 1_000


class EventOut(Schema):
    """An event after `request` requests; `by` is the person who caused it, if any."""

    seq: int
    request: int
    pages: int
    kind: str
    payload: dict[str, Any]
    by: str | None
    at: datetime


class EventPage(ListPage):
    items: list[EventOut]


class SampleOut(Schema):
    """The measures after `pages` pages; shares 0–1, unknown values null."""

    seq: int
    pages: int
    at: datetime
    metrics: dict[str, Any]


class After(Schema):
    """The part of the samples to return: at most `limit`, with a `seq` above `after`."""

    after: int = Field(0, ge=0, lt=2**31)
    limit: int = Field(MOST_SAMPLES, ge=1, le=MOST_SAMPLES)


@router.get(
    "/{int:crawl_id}/events", response={200: EventPage, 404: Refusal}, summary="List events"
)
def list_events(request: SignedInRequest, crawl_id: int, paging: PagingQuery) -> Any:
    """Changes of state and settings, and what the crawl learned, latest first."""
    rows = Event.objects.filter(crawl=visible(request, crawl_id)).select_related("by")
    return paged(rows.order_by("-seq"), paging, _event)


@router.get(
    "/{int:crawl_id}/samples",
    response={200: list[SampleOut], 404: Refusal},
    summary="Follow the measures",
)
def list_samples(request: SignedInRequest, crawl_id: int, wanted: Query[After]) -> Any:
    """A sample every ten pages, fewer beyond 10,000, in order. To continue, pass the last `seq` as
    `after`."""
    rows = Sample.objects.filter(crawl=visible(request, crawl_id), seq__gt=wanted.after)
    return [_sample(row) for row in rows.order_by("seq")[: wanted.limit]]


def _event(event: Event) -> dict[str, Any]:
    values = {name: getattr(event, name) for name in EventOut.model_fields if name != "by"}
    payload = {name: value for name, value in event.payload.items() if name != "by"}
    return values | {"payload": payload, "by": event.by.get_username() if event.by else None}


def _sample(sample: Sample) -> dict[str, Any]:
    return {
        "seq": sample.seq,
        "pages": sample.pages,
        "at": sample.at,
        "metrics": metrics_of(sample.metrics),
    }
