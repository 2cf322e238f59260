"""Downloads, streamed."""

from __future__ import annotations

from itertools import chain

from django.contrib import messages
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    JsonResponse,
    StreamingHttpResponse,
)
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string

from apps.collection.filters.query import read_filters
from apps.collection.misread import misread
from apps.collection.scope import Scope, crawl_scope, topic_scope
from apps.crawls.selectors import visible_crawls
from apps.engine.errors import EngineError
from apps.exports.format import Format
from apps.exports.formats import FORMATS, crawl_file_name, topic_file_name
from apps.exports.rows import Choice, Selection
from apps.exports.searches import found, measure
from apps.exports.streaming import in_threads, pieces
from apps.screens.answers import attached
from apps.webs.messages import error_words


def download(request: HttpRequest, pk: int, format: str) -> HttpResponseBase:
    """A visible crawl's pages; `?relevant=1` and `?without_seeds=1` leave pages out, `?text=1` adds
    the words of each to JSON lines."""
    crawl = get_object_or_404(visible_crawls(request.user), pk=pk)
    chosen = _format(format)
    choice = Choice(*(_on(request, name) for name in ("relevant", "without_seeds", "text")))
    name = crawl_file_name(crawl, chosen.extension)
    return _streamed(request, Selection.of_crawl(crawl, choice), chosen, name,
                     redirect("live:crawl", crawl.pk))


def crawl_search(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The results of a search of a visible crawl, in `?format=`; parameters as in its list."""
    return _searched(request, crawl_scope(request.user, pk))


def topic_search(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The results of a search of a topic's collection, in `?format=`; parameters as in its list."""
    return _searched(request, topic_scope(request.user, pk))


def crawl_count(request: HttpRequest, pk: int) -> JsonResponse:
    """How many rows `crawl_search` would have, as HTML, and its size by format."""
    return _counted(request, crawl_scope(request.user, pk))


def topic_count(request: HttpRequest, pk: int) -> JsonResponse:
    """How many rows `topic_search` would have, as HTML, and its size by format."""
    return _counted(request, topic_scope(request.user, pk))


def _searched(request: HttpRequest, scope: Scope) -> HttpResponseBase:
    chosen, filters = _format(request.GET.get("format", "")), read_filters(request.GET)
    back = redirect(f"{scope.address}?{filters.query()}")
    if wrong := misread(request.GET, filters, scope):
        messages.error(request, f"Nothing was downloaded. {wrong[0].message}")
        return back
    if scope.only is not None:
        name = crawl_file_name(scope.only, chosen.extension)
    else:
        name = topic_file_name(scope.topic, chosen.extension)
    selection = found(scope, filters, chosen, _each_crawl(request))
    return _streamed(request, selection, chosen, name, back)


def _counted(request: HttpRequest, scope: Scope) -> JsonResponse:
    chosen = _format(request.GET.get("format", ""))
    measured = measure(scope, read_filters(request.GET), chosen, _each_crawl(request))
    words = render_to_string("collection/row_count.html", {
        "number": measured.rows, "at_least": measured.at_least, "unit": chosen.unit,
    })
    sizes = {name: size.words for name, size in measured.sizes.items()}
    return JsonResponse({"rows": words, "sizes": sizes})


def _format(name: str) -> Format:
    if name not in FORMATS:
        raise Http404
    return FORMATS[name]


def _streamed(
    request: HttpRequest, selection: Selection, chosen: Format, name: str, back: HttpResponse
) -> HttpResponseBase:
    """The file; if its first page cannot be read, a redirect to `back` with a message."""
    data = pieces(chosen.export(selection))
    try:
        first = next(data, b"")
    except EngineError as error:
        messages.error(request, error_words(error))
        return back
    return StreamingHttpResponse(
        in_threads(chain([first], data)),
        content_type=chosen.content_type,
        headers=attached(name),
    )


def _each_crawl(request: HttpRequest) -> bool:
    """Whether a page has a row for each crawl that fetched it: `?per=crawl`."""
    return request.GET.get("per", "") == "crawl"


def _on(request: HttpRequest, name: str) -> bool:
    return request.GET.get(name, "") in ("1", "true", "on", "yes")
