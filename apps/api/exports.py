"""Collections as files."""

from __future__ import annotations

from itertools import chain
from typing import Any

from django.http import Http404, HttpRequest, StreamingHttpResponse
from ninja import Query, Router

from apps.api.pages import Search, read_search
from apps.api.refusals import Refusal
from apps.collection.scope import Scope, crawl_scope, topic_scope
from apps.exports.formats import FORMATS, crawl_file_name, topic_file_name
from apps.exports.searches import found
from apps.exports.views import in_threads, pieces

router = Router(tags=["exports"])
FILE = {"responses": {200: {
    "description": "The file, streamed.",
    "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
}}}  # fmt: skip


@router.get("/crawls/{int:crawl_id}/exports/{format}", response={404: Refusal, 422: Refusal},
            openapi_extra=FILE, summary="Export a crawl's pages")  # fmt: skip
def export_crawl(
    request: HttpRequest, crawl_id: int, format: str, wanted: Query[Search]
) -> Any:
    """What a search finds, as csv, jsonl, warc, gexf or queue; everything for an empty one."""
    return _streamed(request, crawl_scope(request.user, crawl_id), format)


@router.get("/topics/{int:topic_id}/exports/{format}", response={404: Refusal, 422: Refusal},
            openapi_extra=FILE, summary="Export a topic's pages")  # fmt: skip
def export_topic(
    request: HttpRequest, topic_id: int, format: str, wanted: Query[Search]
) -> Any:
    """The same over all crawls of a topic that you may see."""
    return _streamed(request, topic_scope(request.user, topic_id), format)


def _streamed(request: HttpRequest, scope: Scope, format: str) -> StreamingHttpResponse:
    """Raises EngineError where the first page cannot be read."""
    if format not in FORMATS:
        raise Http404
    chosen = FORMATS[format]
    if scope.only is not None:
        name = crawl_file_name(scope.only, chosen.extension)
    else:
        name = topic_file_name(scope.topic, chosen.extension)
    data = pieces(chosen.export(found(scope, read_search(request, scope), chosen)))
    first = next(data, b"")
    return StreamingHttpResponse(
        in_threads(chain([first], data)), content_type=chosen.content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"',
                 "Cache-Control": "no-store"},
    )  # fmt: skip
