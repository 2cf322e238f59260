"""Topics and their lists as files, and the state of targets."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from ninja import File, Query, Router, Schema, Status, UploadedFile

from apps.accounts.requests import SignedInRequest
from apps.api.paging import ListPage, PagingQuery, Word, paged
from apps.api.refusals import Refusal
from apps.api.topics.topics import (
    TopicDetail,
    TopicRowOut,
    detail_of,
    editable,
    row_of,
    visible,
    web_named,
)
from apps.crawls.targets import TargetRow, target_rows
from apps.jobs import queue
from apps.lists.limits import BadList
from apps.schemas.one_of import OneOf
from apps.topics import services
from apps.topics.definition.list_files import lists_of_file
from apps.topics.definition.reading import LISTS
from apps.topics.definition.schemas import TopicFile
from apps.topics.exporting import topic_file_of
from apps.topics.importing import import_topic
from apps.topics.models import Topic
from apps.topics.services import TopicRefused
from apps.topics.targets import ask_for_check

router = Router(tags=["topics"])
ListName = Annotated[str, OneOf(LISTS)]


class ImportWanted(Schema):
    """`web` names the recorded web its pages come from, by default the live Web; with `replace` a
    topic of the same name gets the file's definition."""

    web: Word | None = None
    replace: bool = False


class TargetOut(Schema):
    """A target with the result of its last check: `state` is reachable, moved (to `detail`), gone
    or unclear (`detail` is the kind of failure), asked (being checked), or empty; `crawls` are the
    numbers of those that fetched it."""

    url: str
    state: str
    detail: str
    checked_at: datetime | None
    crawls: tuple[int, ...]


class TargetPageOut(ListPage):
    items: list[TargetOut]


class Removed(Schema):
    """How many were removed."""

    removed: int


@router.get(
    "/{int:topic_id}/file",
    response={200: dict[str, Any], 404: Refusal, 422: Refusal},
    summary="Export a topic",
)
def export_topic(request: SignedInRequest, topic_id: int) -> Any:
    """The definition as JSON that `import_topic` and the next operation read, without pages."""
    return topic_file_of(visible(request, topic_id))


@router.post("/file", response={201: TopicDetail, 422: Refusal}, summary="Import a topic")
def import_file(request: SignedInRequest, sent: TopicFile, wanted: Query[ImportWanted]) -> Any:
    """A topic's file; entries of lists are addresses or `{"url", "html"}`. Its examples are fetched
    in the background. Lines that are not accepted are listed in `untaken`."""
    web = web_named(request, wanted.web)
    saved = import_topic(request.user, sent, web, replace=wanted.replace, in_background=True)
    return Status(201, detail_of(saved.topic, request))


@router.post(
    "/{int:topic_id}/lists/{name}/file",
    response={200: TopicDetail, 404: Refusal, 422: Refusal},
    summary="Upload a list",
)
def upload_list(
    request: SignedInRequest, topic_id: int, name: ListName, file: File[UploadedFile]
) -> Any:
    """Adds a file's lines to a list, up to 4 MB: one address a line, or a CSV whose columns `label`
    and `role` give the list of each row. Lines that are not accepted are listed in `untaken`."""
    topic = editable(request, topic_id)
    try:
        lists = lists_of_file(file, name)
    except BadList as error:
        raise TopicRefused("file", str(error)) from None
    saved = services.add_lines(topic, lists)
    if saved.examples_changed:
        queue.enqueue(saved.topic, work_wanted=Topic.Work.FETCHING)
    return detail_of(saved.topic, request)


@router.get(
    "/{int:topic_id}/targets", response={200: TargetPageOut, 404: Refusal}, summary="List targets"
)
def list_targets(request: SignedInRequest, topic_id: int, paging: PagingQuery) -> Any:
    """Every target with its state and the crawls that fetched it, those fetched by most crawls
    first."""
    topic = visible(request, topic_id)
    return paged(target_rows(topic, request.user), paging, _as_it_is)


@router.post(
    "/{int:topic_id}/targets/check",
    response={202: TopicRowOut, 404: Refusal},
    summary="Check targets",
)
def check_targets(request: SignedInRequest, topic_id: int) -> Any:
    """Checks every target in the background; `work` is empty again when it is done."""
    topic = editable(request, topic_id)
    ask_for_check(topic)
    return Status(202, row_of(topic, request))


@router.delete(
    "/{int:topic_id}/targets/gone",
    response={200: Removed, 404: Refusal},
    summary="Remove gone targets",
)
def remove_gone(request: SignedInRequest, topic_id: int) -> Any:
    """Until they are removed they count as missed by every crawl."""
    return {"removed": services.remove_gone_targets(editable(request, topic_id))}


def _as_it_is(row: TargetRow) -> TargetRow:
    return row
