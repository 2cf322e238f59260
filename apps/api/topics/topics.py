"""Topics: listing, showing, making, changing, copying, preparing, deleting."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status

from apps.accounts.requests import SignedInRequest
from apps.api.filters import check_search, with_search
from apps.api.paging import ListPage, Paging, PagingQuery, Word, paged
from apps.api.refusals import Refusal
from apps.crawls import deletion
from apps.jobs import queue
from apps.topics import selectors, services
from apps.topics.copying import copy_topic
from apps.topics.definition.reading import LISTS
from apps.topics.definition.schemas import Definition, Line, TopicLists
from apps.topics.exporting import definition_of
from apps.topics.listing import TopicSearch, topic_listing
from apps.topics.messages import line_words
from apps.topics.models import Example, Topic
from apps.webs.selectors import visible_webs

router = Router(tags=["topics"])


class TopicRowOut(Schema):
    """A topic in a list; `f1` is the guiding classifier's, cross-validated, null if unknown."""

    id: int
    name: str
    owner: str
    mine: bool
    shared: bool
    web: str | None
    version: int
    work: str
    f1: float | None
    changed_at: datetime


class TopicDetail(TopicRowOut):
    """A topic with its definition. Lists are addresses in their order; `evaluation` are the
    examples for judging. `untaken` are lines that were not accepted, with the reason."""

    description: str
    keywords: list[str]
    language: str
    web_label: str
    negatives_per_positive: int
    hold_out: str
    seeds: list[str]
    positives: list[str]
    negatives: list[str]
    targets: list[str]
    evaluation: dict[str, list[str]]
    inlinks: dict[str, int]
    backlinks: list[str]
    corpus: list[str]
    quality: dict[str, Any] | None
    untaken: list[dict[str, Any]]


class TopicPage(ListPage):
    items: list[TopicRowOut]


class TopicSent(TopicLists[Line]):
    """A topic as `crawlsite import_topic` reads it; `web` names a recorded web, null the live Web.

    The lists hold addresses; a list that is left out is empty. If negatives are given and positives
    left out, the seeds are the positives.
    """

    web: Word | None = None


class PrepareRequest(Schema):
    """The work to queue: `fetching` tries failed examples again, `gathering` looks for negatives,
    `training` trains the classifier again, `scanning` scans the topic's recorded web for in-links
    and back-links."""

    work: Literal["fetching", "gathering", "training", "scanning"]


class ExampleRow(Schema):
    """An example; `probability` is that of the classifier trained without it."""

    id: int
    url: str
    relevant: bool
    role: str
    source: str
    weight: float
    fetch: str
    failure: str
    title: str
    probability: float | None


class ExamplePage(ListPage):
    items: list[ExampleRow]


class Relabelled(Schema):
    """Whether the page is on the topic."""

    relevant: bool


REFUSED = {404: Refusal, 422: Refusal}


@with_search(TopicSearch)
class TopicFilter(Paging):
    """A search of the list of topics; several values of one filter are alternatives."""


@router.get("", response=TopicPage, summary="List topics")
def list_topics(request: SignedInRequest, wanted: Query[TopicFilter]) -> Any:
    """Your own topics and those shared with you, last changed first."""
    search = check_search(request, TopicSearch.read(request.GET))
    topics = topic_listing(request.user, search).matches
    return paged(topics, wanted, lambda topic: row_of(topic, request))


@router.post("", response={201: TopicDetail, 422: Refusal}, summary="Make a topic")
def make_topic(request: SignedInRequest, sent: TopicSent) -> Any:
    """Lines that are not accepted are left out and listed in `untaken`; the rest is stored and its
    examples are fetched in the background."""
    saved = services.create_topic(request.user, _definition(request, sent))
    queue.enqueue(saved.topic, work_wanted=Topic.Work.FETCHING)
    return Status(201, detail_of(saved.topic, request))


@router.get("/{int:topic_id}", response={200: TopicDetail, 404: Refusal}, summary="Show a topic")
def show_topic(request: SignedInRequest, topic_id: int) -> Any:
    """One topic with its definition and the quality of its classifier."""
    return detail_of(visible(request, topic_id), request)


@router.put("/{int:topic_id}", response={200: TopicDetail, **REFUSED}, summary="Change a topic")
def change_topic(request: SignedInRequest, topic_id: int, sent: TopicSent) -> Any:
    """Replaces the definition of a topic that you may change; examples that stay keep their
    pages."""
    saved = services.edit_topic(editable(request, topic_id), _definition(request, sent))
    if saved.examples_changed:
        queue.enqueue(saved.topic, work_wanted=Topic.Work.FETCHING)
    return detail_of(saved.topic, request)


@router.delete(
    "/{int:topic_id}", response={204: None, 404: Refusal, 422: Refusal}, summary="Delete a topic"
)
def delete_topic(request: SignedInRequest, topic_id: int) -> Any:
    """Deletes it with its crawls and their pages; this cannot be undone."""
    deletion.delete_topic(owned_topic(request, topic_id))
    return Status(204, None)


@router.post(
    "/{int:topic_id}/copy",
    response={201: TopicDetail, **REFUSED},
    summary="Copy a topic to your own",
)
def copy(request: SignedInRequest, topic_id: int) -> Any:
    """Copies its definition, its examples with their pages and its targets; the web is the same,
    and the crawls are not copied."""
    try:
        made = copy_topic(visible(request, topic_id), request.user)
    except OSError:
        raise services.TopicRefused("", "The disk is full: free some space first.") from None
    return Status(201, detail_of(made, request))


@router.post(
    "/{int:topic_id}/work", response={202: TopicRowOut, 404: Refusal}, summary="Prepare a topic"
)
def prepare_topic(request: SignedInRequest, topic_id: int, sent: PrepareRequest) -> Any:
    """Queues work on the examples; `work` is empty again when it is done."""
    topic = editable(request, topic_id)
    if sent.work == "fetching":
        services.fetch_again(topic)
    else:
        queue.enqueue(topic, work_wanted=sent.work)
    topic.refresh_from_db()
    return Status(202, row_of(topic, request))


@router.get(
    "/{int:topic_id}/examples", response={200: ExamplePage, 404: Refusal}, summary="List examples"
)
def list_examples(request: SignedInRequest, topic_id: int, paging: PagingQuery) -> Any:
    """Every example and whether it could be fetched, drawn and gathered ones too."""
    return paged(visible(request, topic_id).examples.order_by("id"), paging, _example)


@router.patch(
    "/{int:topic_id}/examples/{int:example_id}",
    response={200: ExampleRow, 404: Refusal},
    summary="Relabel an example",
)
def relabel_example(
    request: SignedInRequest, topic_id: int, example_id: int, sent: Relabelled
) -> Any:
    """The classifier is trained again in the background."""
    example = get_object_or_404(editable(request, topic_id).examples, pk=example_id)
    if example.relevant != sent.relevant:
        services.relabel(example)
    return _example(example)


@router.delete(
    "/{int:topic_id}/examples/{int:example_id}",
    response={204: None, 404: Refusal},
    summary="Remove an example",
)
def remove_example(request: SignedInRequest, topic_id: int, example_id: int) -> Any:
    """The classifier is trained again in the background."""
    services.remove_example(get_object_or_404(editable(request, topic_id).examples, pk=example_id))
    return Status(204, None)


def visible(request: SignedInRequest, pk: int) -> Topic:
    """A topic that the person may see."""
    return get_object_or_404(selectors.visible_topics(request.user), pk=pk)


def editable(request: SignedInRequest, pk: int) -> Topic:
    """A topic that the person may change."""
    return get_object_or_404(selectors.editable_topics(request.user), pk=pk)


def owned_topic(request: SignedInRequest, pk: int) -> Topic:
    """A topic that the person may share and delete."""
    return get_object_or_404(selectors.owned_topics(request.user), pk=pk)


def _definition(request: SignedInRequest, sent: TopicSent) -> Definition:
    return sent.definition(web_named(request, sent.web))


def web_named(request: SignedInRequest, name: str | None) -> int | None:
    """The key of a web the person may crawl; None, the live Web, without a name. Raises
    TopicRefused."""
    if not name:
        return None
    web = visible_webs(request.user).filter(name=name).first()
    if web is None:
        raise services.TopicRefused("web", f"There is no web {name[:100]}.")
    return web.pk


def row_of(topic: Topic, request: SignedInRequest) -> dict[str, Any]:
    models = (topic.quality or {}).get("models")
    return {
        "id": topic.pk,
        "name": topic.name,
        "owner": topic.owner.get_username(),
        "mine": topic.owner_id == request.user.pk,
        "shared": topic.shared,
        "web": topic.web.name if topic.web else None,
        "version": topic.version,
        "work": topic.work,
        "f1": models[0]["f1"]["mean"] if models else None,
        "changed_at": topic.changed_at,
    }


def detail_of(topic: Topic, request: SignedInRequest) -> dict[str, Any]:
    return (
        row_of(topic, request)
        | definition_of(topic)
        | {
            "quality": topic.quality,
            "untaken": _untaken(topic) if _may_change(topic, request) else [],
        }
    )


def _may_change(topic: Topic, request: SignedInRequest) -> bool:
    return selectors.editable_topics(request.user).filter(pk=topic.pk).exists()


def _untaken(topic: Topic) -> list[dict[str, Any]]:
    return [
        {"list": name, "line": error.number, "text": error.text, "message": line_words(error)}
        for name, errors in selectors.line_errors(topic).items()
        if name in LISTS
        for error in errors
    ]


def _example(example: Example) -> dict[str, Any]:
    return {name: getattr(example, name) for name in ExampleRow.model_fields}
