"""Crawls: listing, showing, making, steering, sharing, deleting."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.db import transaction
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status

from apps.accounts.requests import SignedInRequest
from apps.api.filters import check_search, with_search
from apps.api.paging import ListPage, Paging, Word, paged
from apps.api.refusals import Refusal
from apps.crawls import services
from apps.crawls.commands.catalogue import COMMANDS
from apps.crawls.commands.lifecycle.delete import delete
from apps.crawls.commands.lifecycle.start import start
from apps.crawls.errors import CrawlRefused
from apps.crawls.listing import CrawlListing, CrawlSearch
from apps.crawls.measures.crawl_report import crawl_report
from apps.crawls.messages import state_words
from apps.crawls.models import Crawl
from apps.crawls.schemas import CrawlSettings
from apps.crawls.selectors import editable_crawls, owned_crawls, visible_crawls
from apps.crawls.summaries import metrics_of, summary
from apps.schemas.one_of import OneOf
from apps.topics.definition.lines import storable
from apps.topics.models import Topic
from apps.topics.selectors import editable_topics
from apps.webs.models import Web
from apps.webs.selectors import LIVE, live_web, webs_of_both

router = Router(tags=["crawls"])
REFUSED = {404: Refusal, 409: Refusal, 422: Refusal}

Verb = Annotated[str, OneOf(COMMANDS)]


def _described() -> str:
    """The description of every command, for the API reference."""
    lines = ["A crawl applies changes within a few pages.", ""]
    for command in COMMANDS.values():
        takes = f" Takes {command.value}." if command.value else ""
        lines.append(f"- `{command.name}`: {command.does}{takes}")
    return "\n".join(lines)


class RenderedOut(Schema):
    """The rendered pages, those of them that have a text since with their share of all pages, and
    the number of requests for rendering. Rendering took `processor_seconds`, a share of all that
    the crawl took, and `seconds` by the clock, a share of its time; null where that was not
    measured."""

    pages: int
    gained: int
    share: float
    requests: int
    processor_seconds: float | None
    processor_share: float | None
    seconds: float | None
    time_share: float | None


class CrawlOut(Schema):
    """A crawl as `crawlsite crawl --json` writes it, and its owner. Shares are 0–1, unknown values
    null; `state_words` are its state in words, with a remedy."""

    crawl: int
    topic: str
    strategy: str
    parameters: dict[str, Any]
    random_seed: int
    web: str
    state: str
    reason: str | None
    pages: int
    requests: int
    errors: dict[str, int]
    excluded: dict[str, int]
    discovered: int
    failed: int
    waiting: int
    seconds: float
    cpu_seconds: float
    reorder_seconds: float
    judged_by: str | None = None
    inputs: dict[str, Any] = {}
    earlier: int | None = None
    rendered: RenderedOut | None = None
    metrics: dict[str, Any]
    trajectory: list[dict[str, Any]] | None = None
    topic_id: int
    name: str
    note: str
    tags: list[str]
    owner: str
    mine: bool
    shared: bool
    budget: int
    hours: float | None
    recall: float | None
    slope: float | None
    request_limit: int
    over: str
    scope: dict[str, Any]
    politeness: dict[str, Any]
    state_words: str
    warnings: list[str]
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class CrawlPage(ListPage):
    items: list[CrawlOut]


@with_search(CrawlSearch)
class CrawlListQuery(Paging):
    """A search of the list of crawls; several values of one filter are alternatives."""


class CrawlSent(CrawlSettings):
    """A new crawl. `web` names a recorded web, or is `live`; by default it is the topic's. `over`
    is whether it is read from disk (`record`) or over HTTP if it is served. `earlier` is the crawl
    it learns from, for strategies that need one. `start` starts it at once instead of making a
    draft."""

    topic: int
    web: Word | None = None
    earlier: int | None = None
    start: bool = False


class Value(Schema):
    """The value of a command, as in its description; empty for those that take none."""

    value: str | int | float = ""


class Acted(Schema):
    """A sentence, if the crawl does not show the result."""

    message: str
    crawl: CrawlOut


@router.get("", response=CrawlPage, summary="List crawls")
def list_crawls(request: SignedInRequest, wanted: Query[CrawlListQuery]) -> Any:
    """Your own crawls and those shared with you, newest first."""
    search = check_search(request, CrawlSearch.read(request.GET))
    rows = CrawlListing(visible_crawls(request.user), search).matches
    return paged(rows, wanted, lambda crawl: crawl_out(crawl, request))


@router.post("", response={201: CrawlOut, **REFUSED}, summary="Make a crawl")
def make_crawl(request: SignedInRequest, sent: CrawlSent) -> Any:
    """A draft of a crawl for a topic you may change, or one that starts at once. It belongs to the
    topic's owner."""
    topic = editable_topics(request.user).filter(pk=sent.topic).first()
    if topic is None:
        raise CrawlRefused("topic", "There is no topic of this number that you may change.")
    settings = sent.model_dump(exclude={"topic", "web", "start", "earlier"})
    with transaction.atomic():  # no draft is left if it cannot start
        crawl = services.create_crawl(
            topic.owner,
            topic,
            _web(request, topic, sent.web),
            earlier=_earlier(request, sent.earlier),
            **settings,
        )
        if sent.start:
            start(crawl)
    return Status(201, crawl_out(crawl, request))


@router.get("/{int:crawl_id}", response={200: CrawlOut, 404: Refusal}, summary="Show a crawl")
def show_crawl(request: SignedInRequest, crawl_id: int, trajectory: bool = False) -> Any:
    """One crawl with its measures; with `trajectory` also over time, a sample every ten
    pages, fewer beyond 10,000."""
    return crawl_out(visible(request, crawl_id), request, trajectory)


@router.get(
    "/{int:crawl_id}/measures",
    response={200: dict[str, Any], 404: Refusal},
    summary="Measure a crawl",
)
def measure_crawl(request: SignedInRequest, crawl_id: int) -> Any:
    """Measures over the pages stored so far: precision and F1 at recall, the judge's distribution,
    status with its sample, status locality, and how many pages each measure covers. Shares are 0–1,
    unknown values null; `sources` name the judges."""
    crawl = visible(request, crawl_id)
    return {
        "crawl": crawl.pk,
        "judged_by": crawl.judged_by or None,
        "inputs": crawl.inputs,
        "metrics": metrics_of(crawl.metrics),
        **crawl_report(crawl).as_dict(),
    }


@router.delete("/{int:crawl_id}", response={204: None, **REFUSED}, summary="Delete a crawl")
def delete_crawl(request: SignedInRequest, crawl_id: int) -> Any:
    """Deletes it with its pages; this cannot be undone. A running crawl must be stopped first."""
    delete(owned_crawl(request, crawl_id))
    return Status(204, None)


@router.post(
    "/{int:crawl_id}/actions/{verb}",
    response={200: Acted, **REFUSED},
    summary="Steer a crawl",
    description=_described(),
)
def act(request: SignedInRequest, crawl_id: int, verb: Verb, sent: Value | None = None) -> Any:
    crawl = editable(request, crawl_id)
    value = "" if sent is None else storable(str(sent.value))
    message = COMMANDS[verb].act(crawl, value, request.user)
    return {"message": message, "crawl": crawl_out(visible(request, crawl_id), request)}


def visible(request: SignedInRequest, pk: int) -> Crawl:
    """A crawl that the person may see. Raises Http404."""
    return get_object_or_404(visible_crawls(request.user), pk=pk)


def editable(request: SignedInRequest, pk: int) -> Crawl:
    """A crawl that the person may steer and label. Raises Http404."""
    return get_object_or_404(editable_crawls(request.user), pk=pk)


def owned_crawl(request: SignedInRequest, pk: int) -> Crawl:
    """A crawl that the person may share and delete. Raises Http404."""
    return get_object_or_404(owned_crawls(request.user), pk=pk)


def _web(request: SignedInRequest, topic: Topic, name: str | None) -> Web:
    if name is None:
        return topic.web or live_web()
    if name == LIVE:
        return live_web()
    web = webs_of_both(request.user, topic.owner).filter(name=name[:100]).first()
    if web is None:
        raise CrawlRefused("web", f"There is no web {name[:100]}.")
    return web


def _earlier(request: SignedInRequest, pk: int | None) -> Crawl | None:
    if pk is None:
        return None
    crawl = visible_crawls(request.user).filter(pk=pk).first()
    if crawl is None:
        raise CrawlRefused("earlier", "There is no such crawl.")
    return crawl


def crawl_out(crawl: Crawl, request: SignedInRequest, trajectory: bool = False) -> dict[str, Any]:
    """A crawl in the form of `CrawlOut`."""
    return summary(crawl, trajectory) | {
        "topic_id": crawl.topic_id,
        "owner": crawl.owner.get_username(),
        "mine": crawl.owner_id == request.user.pk,
        "shared": crawl.shared,
        "budget": crawl.budget,
        "hours": crawl.hours,
        "recall": crawl.recall,
        "slope": crawl.slope,
        "name": crawl.name,
        "note": crawl.note,
        "tags": crawl.tags,
        "request_limit": crawl.request_limit,
        "over": crawl.over,
        "scope": crawl.scope,
        "politeness": crawl.politeness,
        "warnings": crawl.warnings,
        "state_words": state_words(crawl).in_full,
        "created_at": crawl.created_at,
        "started_at": crawl.started_at,
        "finished_at": crawl.finished_at,
    }
