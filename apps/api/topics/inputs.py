"""A topic's inputs besides its definition: lists of counts, a corpus, back-link pages."""

from __future__ import annotations

import io
from typing import IO, Any

from django.shortcuts import get_object_or_404
from ninja import File, Router, Schema, Status, UploadedFile
from pydantic import Field

from apps.accounts.requests import SignedInRequest
from apps.api.paging import Word
from apps.api.refusals import Refusal
from apps.lists.limits import BadList
from apps.topics import selectors
from apps.topics.definition.lines import storable
from apps.topics.inputs.access import list_to_change
from apps.topics.inputs.catalogue import input_lists
from apps.topics.inputs.input_list import InputList, InputRow
from apps.topics.models import Topic
from apps.topics.services import TopicRefused

router = Router(tags=["inputs"])


class InputOut(Schema):
    """A list of inputs: its purpose, the content of its file, and what the topic has of it in
    words; `untaken` counts the lines that were not accepted."""

    kind: str
    title: str
    purpose: str
    accepts: str
    contents: list[str]
    untaken: int


class InputSent(Schema):
    """A list as text, one entry a line, and its name."""

    text: str
    name: Word = Field("a list", min_length=1)


@router.get(
    "/{int:topic_id}/inputs", response={200: list[InputOut], 404: Refusal}, summary="List inputs"
)
def list_inputs(request: SignedInRequest, topic_id: int) -> Any:
    """Every kind of input, with the topic's size of it."""
    topic = get_object_or_404(selectors.visible_topics(request.user), pk=topic_id)
    return [_row(row) for input_list in input_lists() if (row := input_list.row(topic)) is not None]


@router.put(
    "/{int:topic_id}/inputs/{kind}",
    response={200: InputOut, 404: Refusal, 422: Refusal},
    summary="Set an input",
)
def set_input(request: SignedInRequest, topic_id: int, kind: str, sent: InputSent) -> Any:
    """Replaces the list of that kind; lines that are not accepted are left out. Large lists are
    read in the background."""
    topic, wanted = list_to_change(request.user, topic_id, kind)
    data = io.BytesIO(storable(sent.text).encode())
    return _added(wanted, topic, storable(sent.name), data, "text")


@router.post(
    "/{int:topic_id}/inputs/{kind}/file",
    response={200: InputOut, 404: Refusal, 422: Refusal},
    summary="Upload an input",
)
def upload_input(
    request: SignedInRequest, topic_id: int, kind: str, file: File[UploadedFile]
) -> Any:
    """The same from a file, plain or gzipped; lists of pages up to 4 MB."""
    topic, wanted = list_to_change(request.user, topic_id, kind)
    return _added(wanted, topic, file.name or "a file", file, "file")


@router.delete(
    "/{int:topic_id}/inputs/{kind}", response={204: None, 404: Refusal}, summary="Remove an input"
)
def remove_input(request: SignedInRequest, topic_id: int, kind: str) -> Any:
    """Crawls that were started with it keep it."""
    topic, wanted = list_to_change(request.user, topic_id, kind)
    wanted.remove(topic)
    return Status(204, None)


def _added(
    wanted: InputList, topic: Topic, name: str, data: IO[bytes], field: str
) -> dict[str, Any]:
    try:
        wanted.add(topic, name, data)
    except BadList as error:
        raise TopicRefused(field, str(error)) from None
    topic.refresh_from_db()
    row = wanted.row(topic)
    assert row is not None
    return _row(row)


def _row(row: InputRow) -> dict[str, Any]:
    input_list = row.list
    return {
        "kind": input_list.id,
        "title": input_list.title,
        "purpose": input_list.purpose,
        "accepts": input_list.accepts,
        "contents": list(row.contents),
        "untaken": row.untaken,
    }
