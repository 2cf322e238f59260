"""Crawls: listing, showing, making, steering, sharing, deleting."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status
from pydantic import Field

from apps.api.paging import Page, Paging, Word, paged
from apps.api.refusals import Refusal
from apps.crawls import services
from apps.crawls.commands.catalogue import COMMANDS
from apps.crawls.commands.delete import delete
from apps.crawls.commands.start import start
from apps.crawls.errors import CrawlRefused
from apps.crawls.measures.crawl_report import crawl_report
from apps.crawls.messages import state_words
from apps.crawls.models import Crawl
from apps.crawls.schemas import CrawlSettings
from apps.crawls.selectors import editable_crawls, owned_crawls, visible_crawls
from apps.crawls.summaries import metrics_of, summary
from apps.engine.codes import State
from apps.topics.definition.lines import storable
from apps.topics.models import Topic
from apps.topics.selectors import editable_topics
from apps.webs.models import Web
from apps.webs.selectors import live_web, webs_of_both

router = Router(tags=["crawls"])
LIVE = "live"
REFUSED = {404: Refusal, 409: Refusal, 422: Refusal}

Verb = StrEnum("Verb", {name.upper(): name for name in COMMANDS})

def _described() -> str:
    """The description of every command, for the API reference."""
    lines = ["A crawl applies changes within a few pages.", ""]
    for command in COMMANDS.values():
        takes = f" Takes {command.value}." if command.value else ""
        lines.append(f"- `{command.name}`: {command.does}{takes}")
    return "\n".join(lines)


class CrawlOut(Schema):
    """A crawl as `manage.py crawl --json` writes it, and its owner. Shares are 0–1, unknown values
    null; `said` is its state in words, with what to do about it."""

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
    said: str
    warnings: list[str]
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class CrawlPage(Page):
    items: list[CrawlOut]


class CrawlFilter(Paging):
    """Selects crawls of one topic, in one state, of one strategy."""

    topic: int | None = Field(None, ge=0, lt=2**63)
    state: State | None = None
    strategy: Word | None = None


class CrawlSent(CrawlSettings):
    """A new crawl. `web` names a recorded web; `over` says whether it is read from disk (`record`)
    or over HTTP if it is served. `earlier` is the crawl it learns from, for strategies that need
    one. `start` starts it at once instead of making a draft."""

    topic: int
    web: Word = LIVE
    earlier: int | None = None
    start: bool = False


class Value(Schema):
    """The value of a command, as its description says; empty for those that take none."""

    value: str | int | float = ""


class Acted(Schema):
    """A sentence, if there is more to say than the crawl shows."""

    message: str
    crawl: CrawlOut


@router.get("", response=CrawlPage, summary="List crawls")
def list_crawls(request: HttpRequest, wanted: Query[CrawlFilter]) -> Any:
    """Your own crawls and those shared with you, newest first."""
    rows = visible_crawls(request.user).order_by("-pk")
    filters = {"topic": wanted.topic, "state": wanted.state, "strategy": wanted.strategy}
    rows = rows.filter(**{name: value for name, value in filters.items() if value is not None})
    return paged(rows, wanted, lambda crawl: shown(crawl, request))


@router.post("", response={201: CrawlOut, **REFUSED}, summary="Make a crawl")
def make_crawl(request: HttpRequest, sent: CrawlSent) -> Any:
    """A draft of a crawl for a topic you may change, or one that starts at once. It belongs to the
    topic's owner."""
    topic = editable_topics(request.user).filter(pk=sent.topic).first()
    if topic is None:
        raise CrawlRefused("topic", "There is no topic of this number that you may change.")
    settings = sent.model_dump(exclude={"topic", "web", "start", "earlier"})
    with transaction.atomic():  # no draft is left if it cannot start
        crawl = services.create_crawl(
            topic.owner, topic, _web(request, topic, sent.web),
            earlier=_earlier(request, sent.earlier), **settings,
        )
        if sent.start:
            start(crawl)
    return Status(201, shown(crawl, request))


@router.get("/{int:crawl_id}", response={200: CrawlOut, 404: Refusal}, summary="Show a crawl")
def show_crawl(request: HttpRequest, crawl_id: int, trajectory: bool = False) -> Any:
    """One crawl with its measures; with `trajectory` also over time, a sample every ten
    pages, fewer beyond 10,000."""
    return shown(visible(request, crawl_id), request, trajectory)


@router.get("/{int:crawl_id}/measures", response={200: dict[str, Any], 404: Refusal},
            summary="Measure a crawl")  # fmt: skip
def measure_crawl(request: HttpRequest, crawl_id: int) -> Any:
    """Measures over the pages stored so far: precision and F1 at recall, the judge's distribution,
    status with its sample, status locality, and how many pages each measure covers. Shares are 0–1,
    unknown values null; `sources` name the judges."""
    crawl = visible(request, crawl_id)
    return {"crawl": crawl.pk, "judged_by": crawl.judged_by or None, "inputs": crawl.inputs,
            "metrics": metrics_of(crawl.metrics), **crawl_report(crawl).as_dict()}


@router.delete("/{int:crawl_id}", response={204: None, **REFUSED}, summary="Delete a crawl")
def delete_crawl(request: HttpRequest, crawl_id: int) -> Any:
    """Deletes it with its pages; this cannot be undone. A running crawl must be stopped first."""
    delete(own(request, crawl_id))
    return Status(204, None)


@router.post("/{int:crawl_id}/actions/{verb}", response={200: Acted, **REFUSED},
             summary="Steer a crawl", description=_described())  # fmt: skip
def act(request: HttpRequest, crawl_id: int, verb: Verb, sent: Value | None = None) -> Any:
    crawl = editable(request, crawl_id)
    value = "" if sent is None else storable(str(sent.value))
    message = COMMANDS[verb].act(crawl, value, request.user)
    return {"message": message, "crawl": shown(visible(request, crawl_id), request)}


def visible(request: HttpRequest, pk: int) -> Crawl:
    """A crawl that the person may see. Raises Http404."""
    return get_object_or_404(visible_crawls(request.user), pk=pk)


def editable(request: HttpRequest, pk: int) -> Crawl:
    """A crawl that the person may steer and label. Raises Http404."""
    return get_object_or_404(editable_crawls(request.user), pk=pk)


def own(request: HttpRequest, pk: int) -> Crawl:
    """A crawl that the person may share and delete. Raises Http404."""
    return get_object_or_404(owned_crawls(request.user), pk=pk)


def _web(request: HttpRequest, topic: Topic, name: str) -> Web:
    if name == LIVE:
        return live_web()
    found = webs_of_both(request.user, topic.owner).filter(name=name[:100]).first()
    if found is None:
        raise CrawlRefused("web", f"There is no web {name[:100]}.")
    return found


def _earlier(request: HttpRequest, pk: int | None) -> Crawl | None:
    if pk is None:
        return None
    found = visible_crawls(request.user).filter(pk=pk).first()
    if found is None:
        raise CrawlRefused("earlier", "There is no such crawl.")
    return found


def shown(crawl: Crawl, request: HttpRequest, trajectory: bool = False) -> dict[str, Any]:
    """A crawl in the form of `CrawlOut`."""
    return summary(crawl, trajectory) | {
        "topic_id": crawl.topic_id, "owner": crawl.owner.get_username(),
        "mine": crawl.owner_id == request.user.pk, "shared": crawl.shared,
        "budget": crawl.budget, "hours": crawl.hours, "recall": crawl.recall, "slope": crawl.slope,
        "name": crawl.name, "note": crawl.note,
        "tags": crawl.tags, "request_limit": crawl.request_limit, "over": crawl.over,
        "scope": crawl.scope, "politeness": crawl.politeness, "warnings": crawl.warnings,
        "said": state_words(crawl).in_full, "created_at": crawl.created_at,
        "started_at": crawl.started_at, "finished_at": crawl.finished_at,
    }  # fmt: skip
