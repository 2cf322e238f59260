"""Exports the pages of a collection as files."""

from __future__ import annotations

from itertools import chain
from typing import Any, Literal

from django.http import Http404, StreamingHttpResponse
from ninja import Field, Query, Router, Status

from apps.accounts.requests import SignedInRequest
from apps.api.collection.downloads import StoredDownloadOut, download_of
from apps.api.collection.pages import SearchParameters
from apps.api.filters import check_search
from apps.api.refusals import Refusal
from apps.collection.search import CollectionSearch, search_crawl, search_topic
from apps.exports.columns import UnknownColumn
from apps.exports.format import Format
from apps.exports.formats import FORMATS
from apps.exports.row_choice import RowChoice
from apps.exports.searches import file_name, selection_of
from apps.exports.stored import ask_for_download, rows_of
from apps.exports.streaming import in_threads, pieces
from apps.schemas.misread import Misread, refuse_first

router = Router(tags=["exports"])
FILE = {
    "responses": {
        200: {
            "description": "The file, streamed.",
            "content": {
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
            },
        }
    }
}


class Rows(SearchParameters):
    """A search, and how its pages become rows."""

    without_duplicates: bool = Field(
        False, description="Leave out near-duplicates of pages in the list."
    )
    columns: list[str] = Field(
        [], description="The columns in their order; the default ones of the format if empty."
    )


class RowsOf(Rows):
    """How the pages of several crawls become rows."""

    per: Literal["page", "crawl"] = Field(
        "page", description="One row for each page, or for each crawl that fetched it."
    )


@router.get(
    "/crawls/{int:crawl_id}/exports/{format}",
    response={404: Refusal, 422: Refusal},
    openapi_extra=FILE,
    summary="Export a crawl's pages",
)
def export_crawl(request: SignedInRequest, crawl_id: int, format: str, wanted: Query[Rows]) -> Any:
    """The results of a search (all pages for an empty one), in a format listed by `/vocabulary`."""
    search = search_crawl(request.user, crawl_id, request.GET)
    return _streamed(request, search, format)


@router.get(
    "/topics/{int:topic_id}/exports/{format}",
    response={404: Refusal, 422: Refusal},
    openapi_extra=FILE,
    summary="Export a topic's pages",
)
def export_topic(
    request: SignedInRequest, topic_id: int, format: str, wanted: Query[RowsOf]
) -> Any:
    """The results of a search over all visible crawls of a topic, in a format listed by
    `/vocabulary`."""
    search = search_topic(request.user, topic_id, request.GET)
    return _streamed(request, search, format)


@router.post(
    "/crawls/{int:crawl_id}/exports/{format}",
    response={202: StoredDownloadOut, 404: Refusal, 422: Refusal},
    summary="Make a file of a crawl's pages in the background",
)
def store_crawl_export(
    request: SignedInRequest, crawl_id: int, format: str, wanted: Query[Rows]
) -> Any:
    """The same file, made by a worker and stored for seven days; see `/downloads`."""
    return _in_background(request, search_crawl(request.user, crawl_id, request.GET), format)


@router.post(
    "/topics/{int:topic_id}/exports/{format}",
    response={202: StoredDownloadOut, 404: Refusal, 422: Refusal},
    summary="Make a file of a topic's pages in the background",
)
def store_topic_export(
    request: SignedInRequest, topic_id: int, format: str, wanted: Query[RowsOf]
) -> Any:
    """The same file for all visible crawls of a topic; see `/downloads`."""
    return _in_background(request, search_topic(request.user, topic_id, request.GET), format)


def _in_background(request: SignedInRequest, search: CollectionSearch, format: str) -> Any:
    chosen, choice = _format(format), _choice(request)
    rows = rows_of(check_search(request, search), chosen, choice)
    download = ask_for_download(request.user, search, chosen, request.GET, rows)
    return Status(202, download_of(download))


def _streamed(
    request: SignedInRequest, search: CollectionSearch, format: str
) -> StreamingHttpResponse:
    """Raises EngineError if the first page cannot be read, SearchRefused for an unknown column and
    a format whose package is missing."""
    chosen = _format(format)
    name = file_name(search, chosen.extension)
    checked, choice = check_search(request, search), _choice(request)
    selection = selection_of(checked, chosen, request.user, choice)
    data = pieces(chosen.export(selection))
    first = next(data, b"")
    return StreamingHttpResponse(
        in_threads(chain([first], data)),
        content_type=chosen.content_type,
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "no-store",
        },
    )


def _format(name: str) -> Format:
    if name not in FORMATS:
        raise Http404
    if FORMATS[name].missing:
        refuse_first([Misread("format", f"{FORMATS[name].missing}.")])
    return FORMATS[name]


def _choice(request: SignedInRequest) -> RowChoice:
    try:
        return RowChoice.read(request.GET)
    except UnknownColumn as error:
        refuse_first([Misread("columns", str(error))])
        raise
