"""The pages that a watch visits: their states, their versions, and the differences between two
versions."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema

from apps.accounts.requests import SignedInRequest
from apps.api.paging import ListPage, Paging, paged
from apps.api.refusals import Refusal
from apps.api.topics.watch_changes import StateName
from apps.api.topics.watches import visible_watch
from apps.watches.changes import compare_versions, version_text
from apps.watches.models import PageVersion, WatchedPage
from apps.watches.selectors import pages_in_state, versions_of

router = Router(tags=["watches"])


class WatchedOut(Schema):
    """A watched page in its present state, null before a visit has asked for it."""

    id: int
    url: str
    host: str
    title: str
    state: str | None
    code: str
    at: datetime | None
    relevant: bool | None
    visits: int
    changes: int
    due_at: datetime | None


class WatchedOutPage(ListPage):
    items: list[WatchedOut]


class WatchedFilter(Paging):
    """Pages in one state."""

    state: StateName | None = None


class PageVersionOut(Schema):
    """A version of a page; `share` of its text differs from the one before. Its stored copy is page
    `seq` of `crawl`, if that still exists."""

    number: int
    at: datetime
    title: str
    share: float
    relevant: bool | None
    crawl: int | None
    seq: int | None


class VersionTextOut(PageVersionOut):
    """A version with its main text, one paragraph per line."""

    text: str


class FragmentOut(Schema):
    """Words that are the `same`, `in` or `out`."""

    edit: str
    text: str


class PassageOut(Schema):
    """A paragraph: `same`, `in`, `out`, `changed`, `moved`, or `passed` over for its `noise`."""

    edit: str
    before: str
    after: str
    noise: str | None
    fragments: list[FragmentOut]


class DifferenceOut(Schema):
    """Two versions compared; `share` of both texts is in or out."""

    before: int
    after: int
    is_change: bool
    share: float
    words_in: int
    words_out: int
    line: str
    passages: list[PassageOut]


@router.get(
    "/{int:topic_id}/watch/pages",
    response={200: WatchedOutPage, 404: Refusal},
    summary="List watched pages",
)
def list_pages(request: SignedInRequest, topic_id: int, filter: Query[WatchedFilter]) -> Any:
    """Pages in their present state, the latest change of state first."""
    states = [filter.state] if filter.state else []
    rows = pages_in_state(visible_watch(request, topic_id), *states)
    return paged(rows, filter, _plain_page)


@router.get(
    "/{int:topic_id}/watch/pages/{int:page_id}/versions",
    response={200: list[PageVersionOut], 404: Refusal},
    summary="List versions",
)
def list_versions(request: SignedInRequest, topic_id: int, page_id: int) -> Any:
    """The oldest first."""
    page = _page(request, topic_id, page_id)
    return [_version(version) for version in versions_of(page).defer("blocks")]


@router.get(
    "/{int:topic_id}/watch/pages/{int:page_id}/versions/{int:number}",
    response={200: VersionTextOut, 404: Refusal},
    summary="Read a version",
)
def read_version(request: SignedInRequest, topic_id: int, page_id: int, number: int) -> Any:
    """A version with its main text."""
    version = _version_at(_page(request, topic_id, page_id), number)
    return {**_version(version), "text": version_text(version)}


@router.get(
    "/{int:topic_id}/watch/pages/{int:page_id}/difference",
    response={200: DifferenceOut, 404: Refusal},
    summary="Compare two versions",
)
def compare(request: SignedInRequest, topic_id: int, page_id: int, before: int, after: int) -> Any:
    """Two versions of a page by their numbers."""
    page = _page(request, topic_id, page_id)
    earlier, later = _version_at(page, before), _version_at(page, after)
    difference = compare_versions(earlier, later)
    return {
        "before": earlier.number,
        "after": later.number,
        "is_change": difference.is_change,
        "share": difference.share,
        "words_in": difference.words_in,
        "words_out": difference.words_out,
        "line": difference.summary,
        "passages": [
            {
                "edit": passage.edit.value,
                "before": passage.before,
                "after": passage.after,
                "noise": passage.noise.value if passage.noise else None,
                "fragments": [
                    {"edit": fragment.edit.value, "text": fragment.text}
                    for fragment in passage.fragments
                ],
            }
            for passage in difference.passages
        ],
    }


def _page(request: SignedInRequest, topic_id: int, page_id: int) -> WatchedPage:
    return get_object_or_404(visible_watch(request, topic_id).pages, pk=page_id)


def _version_at(page: WatchedPage, number: int) -> PageVersion:
    # Numbers beyond those of the database are nobody's.
    if not 0 < number < 2**31:
        raise Http404
    return get_object_or_404(page.versions, number=number)


def _plain_page(page: WatchedPage) -> dict[str, Any]:
    names = [name for name in WatchedOut.model_fields if name not in ("id", "at")]
    values = {name: getattr(page, name) for name in names}
    return {
        **values,
        "id": page.pk,
        "at": page.state_at,
        "state": page.state if page.state_at else None,
    }


def _version(version: PageVersion) -> dict[str, Any]:
    names = [name for name in PageVersionOut.model_fields if name != "crawl"]
    return {**{name: getattr(version, name) for name in names}, "crawl": version.crawl_id}
