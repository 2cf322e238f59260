"""Downloads, streamed."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from django.contrib import messages
from django.http import (
    Http404,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseBase,
    JsonResponse,
    StreamingHttpResponse,
)
from django.shortcuts import redirect, render
from django.template.loader import render_to_string

from apps.accounts.requests import SignedInRequest
from apps.collection.search import CollectionSearch, search_crawl, search_topic
from apps.engine.errors import EngineError
from apps.exports.columns import COLUMNS, RowColumn, UnknownColumn, column_names
from apps.exports.csv import CSV
from apps.exports.dictionary import dictionary
from apps.exports.format import Format, expanded
from apps.exports.formats import FORMATS
from apps.exports.labels import LabelColumns
from apps.exports.row_choice import RowChoice
from apps.exports.rows import Selection
from apps.exports.searches import file_name, measure, selection_of, tick_effects
from apps.exports.stored import (
    MOST_AT_ONCE,
    STORED_FOR,
    DownloadRefused,
    ask_for_download,
    rows_of,
)
from apps.exports.streaming import in_threads, pieces
from apps.schemas.numbers import whole_number
from apps.screens.answers import attached
from apps.topics.models import Topic
from apps.webs.messages import error_words

MOST_TICKS = 10


def crawl_search(request: SignedInRequest, pk: int) -> HttpResponseBase:
    """The results of a search of a visible crawl, in `?format=`; parameters as in its list."""
    return _download(request, search_crawl(request.user, pk, request.GET))


def topic_search(request: SignedInRequest, pk: int) -> HttpResponseBase:
    """The results of a search of a topic's collection, in `?format=`; parameters as in its list."""
    return _download(request, search_topic(request.user, pk, request.GET))


def crawl_count(request: SignedInRequest, pk: int) -> JsonResponse:
    """How many rows `crawl_search` would have, as HTML, and its size by format."""
    return _count(request, search_crawl(request.user, pk, request.GET))


def topic_count(request: SignedInRequest, pk: int) -> JsonResponse:
    """How many rows `topic_search` would have, as HTML, and its size by format."""
    return _count(request, search_topic(request.user, pk, request.GET))


def dictionary_of(request: SignedInRequest) -> HttpResponse:
    """The data dictionary of the columns `?columns=`, of all without them, as CSV; with `?topic=`
    that of its files, which have a column for each person's labels."""
    try:
        names = column_names(request.GET.getlist("columns"))
    except UnknownColumn as error:
        return HttpResponseBadRequest(str(error), content_type="text/plain; charset=utf-8")
    columns: Iterable[RowColumn] = [COLUMNS[name] for name in names or COLUMNS]
    key = whole_number(request.GET.get("topic", "")) or 0
    if topic := Topic.objects.filter(pk=key).first():
        columns = expanded(names or COLUMNS, LabelColumns.of(topic, request.user)) or columns
    return HttpResponse(
        b"".join(dictionary(columns)),
        content_type=CSV.content_type,
        headers=attached("columns.csv"),
    )


def _download(request: SignedInRequest, search: CollectionSearch) -> HttpResponseBase:
    chosen = _format(request.GET.get("format", ""))
    back = redirect(f"{search.context.address}?{search.query()}")
    if refusal := _refusal(request, search, chosen):
        messages.error(request, f"Nothing was downloaded. {refusal}")
        return back
    choice = RowChoice.read(request.GET)
    if (rows := rows_of(search, chosen, choice)) > MOST_AT_ONCE:
        return _in_background(request, search, chosen, rows)
    name = file_name(search, chosen.extension)
    selection = selection_of(search, chosen, request.user, choice)
    return _streamed(request, selection, chosen, name, back)


def _in_background(
    request: SignedInRequest, search: CollectionSearch, chosen: Format, rows: int
) -> HttpResponse:
    """Asks whether to make a large file, or has it made."""
    if request.method == "POST":
        try:
            ask_for_download(request.user, search, chosen, request.GET, rows)
        except DownloadRefused as refusal:
            messages.error(request, refusal.message)
        return redirect("downloads:list")
    context = {
        "search": search,
        "format": chosen,
        "rows": rows,
        "days": STORED_FOR.days,
        "back": f"{search.context.address}?{search.query()}",
    }
    return render(request, "downloads/large.html", context)


def _refusal(request: SignedInRequest, search: CollectionSearch, chosen: Format) -> str:
    """Why there is no such file, or nothing."""
    if wrong := search.misread(request.GET):
        return wrong[0].message
    if chosen.missing:
        return f"{chosen.missing}."
    try:
        RowChoice.read(request.GET)
    except UnknownColumn as error:
        return str(error)
    return ""


def _count(request: SignedInRequest, search: CollectionSearch) -> JsonResponse:
    """The rows and sizes, and what each tick named by `ticks` takes away or would."""
    chosen = _format(request.GET.get("format", ""))
    try:
        choice = RowChoice.read(request.GET)
    except UnknownColumn as error:
        return JsonResponse({"error": str(error)}, status=422)
    measured = measure(search, chosen, request.user, choice)
    words = render_to_string(
        "collection/row_count.html",
        {
            "number": measured.rows,
            "at_least": measured.at_least,
            "unit": chosen.unit,
        },
    )
    sizes = {name: size.words for name, size in measured.sizes.items()}
    names = request.GET.getlist("ticks")[:MOST_TICKS]
    effects = tick_effects(request.GET, search, names) if chosen.holds_pages else {}
    answer = {"rows": words, "number": measured.rows, "sizes": sizes, "effects": effects}
    return JsonResponse(answer)


def _format(name: str) -> Format:
    if name not in FORMATS:
        raise Http404
    return FORMATS[name]


def _streamed(
    request: SignedInRequest, selection: Selection, chosen: Format, name: str, back: HttpResponse
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
