"""What a topic has besides its definition: lists of counts, a corpus, pages that link to it."""

from __future__ import annotations

import io
from typing import IO, Any

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from ninja import File, Router, Schema, Status, UploadedFile
from pydantic import Field

from apps.api.paging import Word
from apps.api.refusals import Refusal
from apps.jobs import queue
from apps.jobs.models import Job
from apps.topics import selectors, services
from apps.topics.definition.lines import storable
from apps.topics.definition.list_files import BadListFile, text_of_file
from apps.topics.inputs import lists
from apps.topics.inputs.rows import SourceRow, kind_of, latest, source_rows
from apps.topics.models import SourcePage, Topic
from apps.topics.services import TopicRefused

router = Router(tags=["sources"])


class SourceOut(Schema):
    """A kind of source: what it is for, what a file of it holds, what there is of it in words;
    `untaken` counts the lines of it that could not be taken."""

    kind: str
    title: str
    purpose: str
    accepts: str
    said: list[str]
    untaken: int


class SourceSent(Schema):
    """A list as text, an entry a line, and what it is called."""

    text: str
    name: Word = Field("a list", min_length=1)


@router.get("/{int:topic_id}/sources", response={200: list[SourceOut], 404: Refusal},
            summary="List sources")  # fmt: skip
def list_sources(request: HttpRequest, topic_id: int) -> Any:
    """Every kind of source with what the topic has of it."""
    topic = get_object_or_404(selectors.visible_topics(request.user), pk=topic_id)
    return [_row(row) for row in source_rows(topic)]


@router.put("/{int:topic_id}/sources/{kind}", response={200: SourceOut, 404: Refusal,
            422: Refusal}, summary="Set a source")  # fmt: skip
def set_source(request: HttpRequest, topic_id: int, kind: str, sent: SourceSent) -> Any:
    """Takes a list in place of what there is of that kind; lines that cannot be taken are left
    out. Large ones are read in the background."""
    topic = _own(request, topic_id, kind)
    if kind in SourcePage.Kind.values:
        services.replace_pages(topic, kind, sent.text)
        if topic.source_pages.filter(fetch=SourcePage.Fetch.WAITING).exists():
            queue.enqueue(topic, work_wanted=Topic.Work.FETCHING)
    else:
        data = io.BytesIO(storable(sent.text).encode())
        _take_table(request, topic, kind, storable(sent.name), data)
    topic.refresh_from_db()
    return next(_row(row) for row in source_rows(topic) if row.kind.id == kind)


@router.post("/{int:topic_id}/sources/{kind}/file", response={200: SourceOut, 404: Refusal,
             422: Refusal}, summary="Upload a source")  # fmt: skip
def upload_source(
    request: HttpRequest, topic_id: int, kind: str, file: File[UploadedFile]
) -> Any:
    """The same from a file, plain or gzipped; lists of pages up to 4 MB."""
    topic = _own(request, topic_id, kind)
    if kind in SourcePage.Kind.values:
        return set_source(request, topic_id, kind, SourceSent(text=_text(file)))
    _take_table(request, topic, kind, file.name or "a file", file)
    return next(_row(row) for row in source_rows(topic) if row.kind.id == kind)


def _text(file: UploadedFile) -> str:
    try:
        return text_of_file(file)
    except BadListFile as error:
        raise TopicRefused("file", str(error)) from None


@router.delete("/{int:topic_id}/sources/{kind}", response={204: None, 404: Refusal},
               summary="Remove a source")  # fmt: skip
def remove_source(request: HttpRequest, topic_id: int, kind: str) -> Any:
    """Crawls that were started with it keep it."""
    topic = _own(request, topic_id, kind)
    if kind in SourcePage.Kind.values:
        services.replace_pages(topic, kind, "")
    elif (table := latest(topic, kind)) is not None:
        lists.remove_list(table)
    return Status(204, None)


def _own(request: HttpRequest, pk: int, kind: str) -> Topic:
    owners = kind in lists.OWNERS_KINDS  # serves all topics of the owner, who alone may change it
    own = selectors.owned_topics if owners else selectors.editable_topics
    topic = get_object_or_404(own(request.user), pk=pk)
    wanted = kind_of(kind)
    if wanted is None or not wanted.accepts:
        raise Http404
    return topic


def _take_table(
    request: HttpRequest, topic: Topic, kind: str, name: str, data: IO[bytes]
) -> None:
    try:
        table = lists.add_list(topic.owner, topic, kind, name, data)
    except OSError:
        raise TopicRefused("text", lists.FULL) from None
    if table.job_state == Job.State.FAILED:
        raise TopicRefused("text", table.job_problem)


def _row(row: SourceRow) -> dict[str, Any]:
    kind = row.kind
    return {"kind": kind.id, "title": kind.title, "purpose": kind.purpose,
            "accepts": kind.accepts, "said": list(row.said), "untaken": row.untaken}  # fmt: skip
