"""Adding and removing a topic's sources in the browser."""

from __future__ import annotations

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from apps.topics import selectors, services, sources, work
from apps.topics.forms import lists_of_file
from apps.topics.list_files import BadListFile
from apps.topics.models import SourcePage, SourceTable, Topic
from apps.topics.provenance import number_of
from apps.topics.source_rows import SourceKind, kind_of, latest

NO_FILE = "Choose a file first. Nothing has changed."


@require_POST
def add(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """Takes the uploaded `file` in place of what there is of that kind."""
    topic, wanted = _own(request, pk, kind)
    file = request.FILES.get("file")
    if file is None:
        messages.error(request, NO_FILE)
    elif kind in SourcePage.Kind.values:
        _take_pages(request, topic, wanted, file)
    else:
        _take_table(request, topic, wanted, file)
    return _back(topic, kind)


def remove(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """Asks once; the POST removes."""
    topic, wanted = _own(request, pk, kind)
    if request.method != "POST":
        everywhere = kind in sources.OWNERS_KINDS and not topic.tables.filter(kind=kind).exists()
        context = {"topic": topic, "kind": wanted, "everywhere": everywhere}
        return render(request, "topics/remove_source.html", context)
    if kind in SourcePage.Kind.values:
        services.replace_pages(topic, kind, "")
    elif (table := latest(topic, kind)) is not None:
        sources.remove_list(table)
    messages.success(request, f"{wanted.title}: removed.")
    return _back(topic, kind)


def _own(request: HttpRequest, pk: int, kind: str) -> tuple[Topic, SourceKind]:
    topic = get_object_or_404(selectors.owned_topics(request.user), pk=pk)
    wanted = kind_of(kind)
    if wanted is None or not wanted.accepts:
        raise Http404
    return topic, wanted


def _back(topic: Topic, kind: str) -> HttpResponse:
    return redirect(f"{reverse('topics:detail', args=[topic.pk])}#sources-{kind}")


def _take_pages(
    request: HttpRequest, topic: Topic, kind: SourceKind, file: UploadedFile
) -> None:
    try:
        text = lists_of_file(file, kind.id).get(kind.id, "")
    except BadListFile as error:
        messages.error(request, f"{file.name}: {error} Nothing has changed.")
        return
    taken = services.replace_pages(topic, kind.id, text)
    if topic.source_pages.filter(fetch=SourcePage.Fetch.WAITING).exists():
        work.ask(topic, Topic.Work.FETCHING)
    if taken.errors:
        lines = number_of(len(taken.errors), "line")
        messages.warning(request, f"{file.name}: {lines} not taken, listed below.")
    else:
        pages = number_of(len(taken.urls), "page")
        messages.success(request, f"{file.name}: {pages} taken.")


def _take_table(
    request: HttpRequest, topic: Topic, kind: SourceKind, file: UploadedFile
) -> None:
    try:
        table = sources.add_list(request.user, topic, kind.id, file.name or "a file", file)
    except OSError:
        messages.error(request, sources.FULL)
        return
    if table.state == SourceTable.State.BAD:
        messages.error(request, f"{table.name} was not taken. {table.problem}")
    elif table.state == SourceTable.State.READING:
        messages.success(request, f"{table.name} is being read in the background.")
    elif table.skipped:
        rows, lines = number_of(table.rows, "row"), number_of(table.skipped, "line")
        messages.warning(
            request, f"{table.name}: {rows} taken, {lines} not; the first are listed below."
        )
    else:
        messages.success(request, f"{table.name}: {number_of(table.rows, 'row')} taken.")
