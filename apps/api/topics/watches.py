"""The watch of a topic: its settings, its visits, and up to where you have seen it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Router, Schema, Status

from apps.accounts.requests import SignedInRequest
from apps.api.paging import ListPage, PagingQuery, paged
from apps.api.refusals import Refusal
from apps.topics.selectors import editable_topics, visible_topics
from apps.watches import services
from apps.watches.models import Watch, WatchVisit
from apps.watches.schemas import WatchSettings
from apps.watches.seen import mark_seen, news_counts, seen_until, undo_seen
from apps.watches.selectors import (
    coming_visits,
    editable_watches,
    requests_a_month,
    visible_watches,
)
from apps.watches.selectors import visits as visits_of

router = Router(tags=["watches"])


class WatchOut(Schema):
    """A watch with its settings. `counts` are the pages that are new, changed and gone since you
    have marked all as seen (`seen_until`), and those the same; `coming` are the next visits, which
    send at most `requests` each and `requests_a_month` in 30 days."""

    topic: int
    rhythm: str
    hours: int
    cron: str
    time_zone: str
    requests: int
    quiet_from: str | None
    quiet_until: str | None
    starts_at: datetime | None
    ends_at: datetime | None
    versions: int
    most_bytes: int | None
    is_paused: bool
    since: datetime
    visits: int
    coming: list[datetime]
    requests_a_month: int
    pages: int
    seen_until: datetime
    counts: dict[str, int]
    problem: str


class VisitOut(Schema):
    """A visit; its crawl is `crawl`, null if that was deleted. The counts are of watched pages;
    `thinned` versions were deleted for the limits of the watch."""

    number: int
    stage: str
    crawl: int | None
    due_at: datetime
    began_at: datetime
    ended_at: datetime | None
    is_late: bool
    planned: int
    requests: int
    new_pages: int
    changed_pages: int
    same_pages: int
    gone_pages: int
    not_reached_pages: int
    thinned: int
    problem: str


class VisitPage(ListPage):
    items: list[VisitOut]


class SeenSent(Schema):
    """The moment up to which all is seen; now, if it is left out."""

    until: datetime | None = None


@router.get("/{int:topic_id}/watch", response={200: WatchOut, 404: Refusal}, summary="Read a watch")
def read_watch(request: SignedInRequest, topic_id: int) -> Any:
    """The watch of a topic; 404 if it is not watched."""
    return _watch(request, visible_watch(request, topic_id))


@router.put(
    "/{int:topic_id}/watch",
    response={200: WatchOut, 201: WatchOut, 404: Refusal, 422: Refusal},
    summary="Watch a topic",
)
def set_watch(request: SignedInRequest, topic_id: int, sent: WatchSettings) -> Any:
    """Starts the watch, or changes the settings that are sent; the others stay."""
    topic = get_object_or_404(editable_topics(request.user), pk=topic_id)
    values = sent.model_dump(exclude_unset=True)
    existing = Watch.objects.filter(topic=topic).first()
    if existing is None:
        made = services.start_watch(topic, request.user, timezone.now(), **values)
        return Status(201, _watch(request, made))
    services.change_watch(existing, timezone.now(), **values)
    return Status(200, _watch(request, existing))


@router.post(
    "/{int:topic_id}/watch/actions/{action}",
    response={200: WatchOut, 404: Refusal, 409: Refusal, 422: Refusal},
    summary="Pause, resume or visit",
)
def act(
    request: SignedInRequest, topic_id: int, action: Literal["pause", "resume", "visit"]
) -> Any:
    """`visit` begins a visit at once."""
    watch = editable_watch(request, topic_id)
    if action == "pause":
        services.pause_watch(watch)
    elif action == "resume":
        services.resume_watch(watch, timezone.now())
    else:
        services.visit_now(watch, timezone.now())
    return _watch(request, watch)


@router.delete("/{int:topic_id}/watch", response={204: None, 404: Refusal}, summary="End a watch")
def remove(request: SignedInRequest, topic_id: int) -> Any:
    """Deletes the watch with its visits, versions and digests; crawls and their pages stay."""
    services.delete_watch(editable_watch(request, topic_id), request.user)
    return Status(204, None)


@router.get(
    "/{int:topic_id}/watch/visits", response={200: VisitPage, 404: Refusal}, summary="List visits"
)
def list_visits(request: SignedInRequest, topic_id: int, paging: PagingQuery) -> Any:
    """The newest first."""
    return paged(visits_of(visible_watch(request, topic_id)), paging, _visit)


@router.put(
    "/{int:topic_id}/watch/seen",
    response={200: WatchOut, 404: Refusal, 422: Refusal},
    summary="Mark all as seen",
)
def set_seen(request: SignedInRequest, topic_id: int, sent: SeenSent) -> Any:
    """Marks all changes up to a time as seen, for you alone."""
    watch, now = visible_watch(request, topic_id), timezone.now()
    until = sent.until or now
    until = until if timezone.is_aware(until) else timezone.make_aware(until)
    mark_seen(watch, request.user, min(until, now))
    return _watch(request, watch)


@router.delete(
    "/{int:topic_id}/watch/seen",
    response={200: WatchOut, 404: Refusal},
    summary="Take the last mark back",
)
def undo(request: SignedInRequest, topic_id: int) -> Any:
    """Takes the last “all seen” mark back: pages that were new before it are new again."""
    watch = visible_watch(request, topic_id)
    undo_seen(watch, request.user)
    return _watch(request, watch)


def visible_watch(request: SignedInRequest, topic_id: int) -> Watch:
    """The watch of a topic that the person may see, or 404."""
    topic = get_object_or_404(visible_topics(request.user), pk=topic_id)
    return get_object_or_404(visible_watches(request.user), topic=topic)


def editable_watch(request: SignedInRequest, topic_id: int) -> Watch:
    """The watch of a topic that the person may change, or 404."""
    topic = get_object_or_404(editable_topics(request.user), pk=topic_id)
    return get_object_or_404(editable_watches(request.user), topic=topic)


def _watch(request: SignedInRequest, watch: Watch) -> dict[str, Any]:
    now, seen = timezone.now(), seen_until(watch, request.user)
    settings = {name: getattr(watch, name) for name in WatchSettings.model_fields}
    for name in ("quiet_from", "quiet_until"):
        settings[name] = settings[name].strftime("%H:%M") if settings[name] else None
    return {
        **settings,
        "topic": watch.topic_id,
        "is_paused": watch.is_paused,
        "since": watch.created_at,
        "visits": watch.visits,
        "coming": coming_visits(watch, now),
        "requests_a_month": requests_a_month(watch, now),
        "pages": watch.pages.filter(is_watched=True).count(),
        "seen_until": seen,
        "counts": news_counts(watch, seen),
        "problem": watch.problem,
    }


def _visit(visit: WatchVisit) -> dict[str, Any]:
    names = [name for name in VisitOut.model_fields if name != "crawl"]
    return {**{name: getattr(visit, name) for name in names}, "crawl": visit.crawl_id}
