"""Collections as files."""

from __future__ import annotations

from itertools import chain
from typing import Any, Literal

from django.http import Http404, HttpRequest, StreamingHttpResponse
from ninja import Field, Query, Router

from apps.api.collection.pages import Search, read_search
from apps.api.refusals import Refusal
from apps.collection.scope import Scope, crawl_scope, topic_scope
from apps.exports.formats import FORMATS, crawl_file_name, topic_file_name
from apps.exports.searches import found
from apps.exports.streaming import in_threads, pieces

router = Router(tags=["exports"])
FILE = {"responses": {200: {
    "description": "The file, streamed.",
    "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
}}}  # fmt: skip


class RowsOf(Search):
    """A search, and what a row of the file is."""

    per: Literal["page", "crawl"] = Field(
        "page", description="One row for each page, or for each crawl that fetched it."
    )


@router.get("/crawls/{int:crawl_id}/exports/{format}", response={404: Refusal, 422: Refusal},
            openapi_extra=FILE, summary="Export a crawl's pages")  # fmt: skip
def export_crawl(
    request: HttpRequest, crawl_id: int, format: str, wanted: Query[Search]
) -> Any:
    """The results of a search (all pages for an empty one), in a format listed by `/vocabulary`."""
    return _streamed(request, crawl_scope(request.user, crawl_id), format, each_crawl=False)


@router.get("/topics/{int:topic_id}/exports/{format}", response={404: Refusal, 422: Refusal},
            openapi_extra=FILE, summary="Export a topic's pages")  # fmt: skip
def export_topic(
    request: HttpRequest, topic_id: int, format: str, wanted: Query[RowsOf]
) -> Any:
    """The same over all visible crawls of a topic."""
    return _streamed(
        request, topic_scope(request.user, topic_id), format, each_crawl=wanted.per == "crawl"
    )


def _streamed(
    request: HttpRequest, scope: Scope, format: str, each_crawl: bool
) -> StreamingHttpResponse:
    """Raises EngineError if the first page cannot be read."""
    if format not in FORMATS:
        raise Http404
    chosen = FORMATS[format]
    if scope.only is not None:
        name = crawl_file_name(scope.only, chosen.extension)
    else:
        name = topic_file_name(scope.topic, chosen.extension)
    selection = found(scope, read_search(request, scope), chosen, each_crawl)
    data = pieces(chosen.export(selection))
    first = next(data, b"")
    return StreamingHttpResponse(
        in_threads(chain([first], data)), content_type=chosen.content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"',
                 "Cache-Control": "no-store"},
    )  # fmt: skip
