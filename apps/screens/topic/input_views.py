"""Adding and removing a topic's sources in the browser."""

from __future__ import annotations

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from apps.jobs import queue
from apps.jobs.models import Job
from apps.topics import selectors, services
from apps.topics.definition.list_files import BadListFile, lists_of_file
from apps.topics.inputs import lists
from apps.topics.inputs.origins import number_of
from apps.topics.inputs.rows import SourceKind, kind_of, latest
from apps.topics.models import SourcePage, Topic

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
        everywhere = kind in lists.OWNERS_KINDS and not topic.tables.filter(kind=kind).exists()
        context = {"topic": topic, "kind": wanted, "everywhere": everywhere}
        return render(request, "topic/remove_input.html", context)
    if kind in SourcePage.Kind.values:
        services.replace_pages(topic, kind, "")
    elif (table := latest(topic, kind)) is not None:
        lists.remove_list(table)
    messages.success(request, f"{wanted.title}: removed.")
    return _back(topic, kind)


def _own(request: HttpRequest, pk: int, kind: str) -> tuple[Topic, SourceKind]:
    owners = kind in lists.OWNERS_KINDS  # serves all topics of the owner, who alone may change it
    own = selectors.owned_topics if owners else selectors.editable_topics
    topic = get_object_or_404(own(request.user), pk=pk)
    wanted = kind_of(kind)
    if wanted is None or not wanted.accepts:
        raise Http404
    return topic, wanted


def _back(topic: Topic, kind: str) -> HttpResponse:
    return redirect(f"{reverse('topic:detail', args=[topic.pk])}#sources-{kind}")


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
        queue.enqueue(topic, work_wanted=Topic.Work.FETCHING)
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
        table = lists.add_list(topic.owner, topic, kind.id, file.name or "a file", file)
    except OSError:
        messages.error(request, lists.FULL)
        return
    if table.job_state == Job.State.FAILED:
        messages.error(request, f"{table.name} was not taken. {table.job_problem}")
    elif table.is_under_way:
        messages.success(request, f"{table.name} is being read in the background.")
    elif table.skipped:
        rows, lines = number_of(table.rows, "row"), number_of(table.skipped, "line")
        messages.warning(
            request, f"{table.name}: {rows} taken, {lines} not; the first are listed below."
        )
    else:
        messages.success(request, f"{table.name}: {number_of(table.rows, 'row')} taken.")
