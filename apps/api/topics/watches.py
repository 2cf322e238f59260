"""The watch of a topic: settings, visits, and what has changed."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Query, Router, Schema, Status

from apps.accounts.requests import SignedInRequest
from apps.api.paging import Page, Paging, PagingQuery, page_of, paged
from apps.api.refusals import Refusal
from apps.schemas.input import MOST_KEY
from apps.schemas.one_of import OneOf
from apps.topics.selectors import editable_topics, visible_topics
from apps.watches import services
from apps.watches.changes import describe, previous_versions
from apps.watches.claiming import claim_change, withdraw_claim
from apps.watches.digests import NEWS
from apps.watches.models import Observation, PageState, PageVersion, Watch, WatchVisit
from apps.watches.schemas import WatchSettings
from apps.watches.search_news import matched_since
from apps.watches.seen import mark_seen, news_counts, seen_until, undo_seen
from apps.watches.selectors import (
    coming_visits,
    editable_watches,
    observations_since,
    requests_a_month,
    visible_watches,
)
from apps.watches.selectors import visits as visits_of
from apps.watches.teaching import affirm_change, deny_change

router = Router(tags=["watches"])
StateName = Annotated[str, OneOf(PageState.values)]


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


class VisitPage(Page):
    items: list[VisitOut]


class ChangeOut(Schema):
    """What one visit has seen of one page; `line` is what has changed in one line, `version` the
    number of its text since. `new_links` have come to a list, of which nothing else has changed;
    with `is_denied` somebody has said that it was no change, with `is_claimed` that it was one."""

    id: int
    page: int
    url: str
    title: str
    state: str
    code: str
    visit: int
    at: datetime
    line: str
    version: int | None
    relevant: bool | None
    new_links: int
    is_denied: bool
    is_claimed: bool


class ChangePage(Page):
    items: list[ChangeOut]


class ChangeFilter(Paging):
    """Changes in one state, or new, changed and gone; since you have marked all as seen, or since
    the start of the watch (`all`); with `search`, the number of a search that you watch, only those
    that it matches."""

    state: StateName | None = None
    all: bool = False
    search: int | None = None


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
    watch = _editable_watch(request, topic_id)
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
    services.delete_watch(_editable_watch(request, topic_id), request.user)
    return Status(204, None)


@router.get(
    "/{int:topic_id}/watch/visits", response={200: VisitPage, 404: Refusal}, summary="List visits"
)
def list_visits(request: SignedInRequest, topic_id: int, paging: PagingQuery) -> Any:
    """The newest first."""
    return paged(visits_of(visible_watch(request, topic_id)), paging, _visit)


@router.get(
    "/{int:topic_id}/watch/changes",
    response={200: ChangePage, 404: Refusal},
    summary="List what is new, changed or gone",
)
def list_changes(request: SignedInRequest, topic_id: int, filter: Query[ChangeFilter]) -> Any:
    """The newest first, a page as often as visits have seen it so."""
    watch = visible_watch(request, topic_id)
    since = watch.created_at if filter.all else seen_until(watch, request.user)
    states = [filter.state] if filter.state else [state.value for state in NEWS]
    rows = observations_since(watch, since, *states)
    if filter.search is not None:
        matched = matched_since(watch, request.user, since)
        rows = rows.filter(pk__in=matched.get(filter.search, ()))
    shown = list(rows[filter.rows])
    before = previous_versions(row.version for row in shown if row.version)
    items = [_change(row, before.get(row.version_id or 0)) for row in shown]
    return page_of(rows.count(), filter, items)


@router.post(
    "/{int:topic_id}/watch/changes/{int:change_id}/deny",
    response={200: ChangeOut, 404: Refusal, 422: Refusal},
    summary="Say that this was no change",
)
def deny(request: SignedInRequest, topic_id: int, change_id: int) -> Any:
    """It counts as the same, and blocks like those that differed are passed over from now on."""
    row = _observation(request, topic_id, change_id)
    deny_change(row, request.user, timezone.now())
    return _change(row, None)


@router.post(
    "/{int:topic_id}/watch/changes/{int:change_id}/affirm",
    response={200: ChangeOut, 404: Refusal, 422: Refusal},
    summary="Say that it was a change after all",
)
def affirm(request: SignedInRequest, topic_id: int, change_id: int) -> Any:
    """Takes back that it was none, and what that has taught."""
    row = _observation(request, topic_id, change_id)
    affirm_change(row)
    return _change_of(row)


@router.post(
    "/{int:topic_id}/watch/pages/{int:page_id}/claim",
    response={200: ChangeOut, 404: Refusal, 422: Refusal},
    summary="Say that a page has changed",
)
def claim(request: SignedInRequest, topic_id: int, page_id: int) -> Any:
    """The last copy of a page, judged the same, is a change; blocks that were passed over count
    from now on."""
    pages = _editable_watch(request, topic_id).pages
    page = get_object_or_404(pages, pk=min(page_id, MOST_KEY))
    seen = claim_change(page, request.user, timezone.now())
    return _change_of(_observation(request, topic_id, seen.pk))


@router.post(
    "/{int:topic_id}/watch/changes/{int:change_id}/withdraw",
    response={200: ChangeOut, 404: Refusal, 422: Refusal},
    summary="Withdraw that it was a change",
)
def withdraw(request: SignedInRequest, topic_id: int, change_id: int) -> Any:
    """It is the same again, and what the claim has taught is taken back."""
    row = _observation(request, topic_id, change_id)
    withdraw_claim(row)
    return _change_of(row)


@router.put(
    "/{int:topic_id}/watch/seen",
    response={200: WatchOut, 404: Refusal, 422: Refusal},
    summary="Mark all as seen",
)
def set_seen(request: SignedInRequest, topic_id: int, sent: SeenSent) -> Any:
    """For you alone, up to a moment."""
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
    """What was new before the last mark is new again."""
    watch = visible_watch(request, topic_id)
    undo_seen(watch, request.user)
    return _watch(request, watch)


def visible_watch(request: SignedInRequest, topic_id: int) -> Watch:
    """The watch of a topic that the person may see, or 404."""
    topic = get_object_or_404(visible_topics(request.user), pk=topic_id)
    return get_object_or_404(visible_watches(request.user), topic=topic)


def _editable_watch(request: SignedInRequest, topic_id: int) -> Watch:
    topic = get_object_or_404(editable_topics(request.user), pk=topic_id)
    return get_object_or_404(editable_watches(request.user), topic=topic)


def _observation(request: SignedInRequest, topic_id: int, pk: int) -> Observation:
    rows = Observation.objects.filter(visit__watch=_editable_watch(request, topic_id))
    rows = rows.select_related("page", "visit", "version")
    return get_object_or_404(rows, pk=min(pk, MOST_KEY))


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


def _change_of(row: Observation) -> dict[str, Any]:
    before = previous_versions([row.version]) if row.version else {}
    return _change(row, before.get(row.version_id or 0))


def _change(row: Observation, before: PageVersion | None) -> dict[str, Any]:
    version = row.version
    return {
        "id": row.pk,
        "page": row.page_id,
        "url": row.page.url,
        "title": (version.title if version else "") or row.page.title,
        "state": row.state,
        "code": row.code,
        "visit": row.visit.number,
        "at": row.at,
        "line": "" if row.state == PageState.SAME else describe(row, before).text,
        "version": version.number if version else None,
        "relevant": version.relevant if version else row.page.relevant,
        "new_links": row.new_links,
        "is_denied": row.taught_blocks.filter(is_change=False).exists(),
        "is_claimed": row.taught_blocks.filter(is_change=True).exists(),
    }
