"""New, changed and gone pages of a watch, and corrections of them by people."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Query, Router, Schema

from apps.accounts.requests import SignedInRequest
from apps.api.paging import ListPage, Paging, page_of
from apps.api.refusals import Refusal
from apps.api.topics.watches import editable_watch, visible_watch
from apps.schemas.input import MOST_KEY
from apps.schemas.one_of import OneOf
from apps.watches.changes import describe, previous_versions
from apps.watches.claiming import claim_change, withdraw_claim
from apps.watches.digests import NEWS
from apps.watches.models import Observation, PageState, PageVersion
from apps.watches.search_news import matched_since
from apps.watches.seen import seen_until
from apps.watches.selectors import observations_since
from apps.watches.teaching import affirm_change, deny_change

router = Router(tags=["watches"])
StateName = Annotated[str, OneOf(PageState.values)]


class ChangeOut(Schema):
    """A page's state at one visit; `line` summarises the change, `version` is the number of its
    text since. `new_links` were added to a list page that has not changed otherwise. `is_denied`: a
    person marked it as unchanged; `is_claimed`: as changed."""

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


class ChangePage(ListPage):
    items: list[ChangeOut]


class ChangeFilter(Paging):
    """Changes in one state, or new, changed and gone; since you have marked all as seen, or since
    the start of the watch (`all`); with `search`, the number of a search that you watch, only those
    that it matches."""

    state: StateName | None = None
    all: bool = False
    search: int | None = None


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
    pages = editable_watch(request, topic_id).pages
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


def _observation(request: SignedInRequest, topic_id: int, pk: int) -> Observation:
    rows = Observation.objects.filter(visit__watch=editable_watch(request, topic_id))
    rows = rows.select_related("page", "visit", "version")
    return get_object_or_404(rows, pk=min(pk, MOST_KEY))


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
