"""Labels of several people: agreement, settlements, and the rule by which labels count."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from django.shortcuts import get_object_or_404
from ninja import Router, Schema, Status
from pydantic import Field

from apps.accounts.requests import SignedInRequest
from apps.agreement.answers import people_of, read_answers
from apps.agreement.asking import ask_everybody, requests_to, withdraw
from apps.agreement.comparing import Part, parts
from apps.agreement.disagreements import counted_pages, disagreements, pages_to_see, settled_pages
from apps.agreement.settling import settle_seen, undo_seen
from apps.agreement.tables import pages_at, stored_pages
from apps.agreement.words import measure_words
from apps.api.refusals import Refusal
from apps.api.topics.topics import editable, visible
from apps.crawls.commands.labelling.recounting import choose_rule
from apps.crawls.models import Settlement
from apps.topics.annotation import guideline_of, hide_others, write_guideline
from apps.topics.selectors import editable_topics

router = Router(tags=["labels"])


class AgreementPartOut(Schema):
    """Some of the shared pages: `value` is Cohen's kappa of two people, Krippendorff's alpha of
    more; null below 20 pages or if it is undefined."""

    id: str
    title: str
    pages: int
    differ: int
    value: float | None
    interval: tuple[float, float] | None


class AgreementOut(Schema):
    """`labels` are the labelled pages of each person; `trained` pages have a label that counts,
    `left_out` have none. `guideline` is the note of what is in and out, null without one."""

    labels: dict[str, int]
    claim: str
    parts: list[AgreementPartOut]
    rule: str
    trained: int
    left_out: int
    guideline: str | None
    guideline_version: int


class DisputedPageOut(Schema):
    """A page that people label differently, with their labels, and the waiting links it moves. A
    settled one has `settlement`, its key, and how, by whom and when; `relevant` null: left open."""

    address: str
    url: str
    labels: dict[str, bool]
    moves: int
    settlement: int | None = None
    relevant: bool | None = None
    by: str | None = None
    at: datetime | None = None
    note: str = ""


class SettlementSent(Schema):
    """`address` is the page's, as listed; `relevant` null leaves it open."""

    address: str = Field(pattern=r"^-?[0-9]{1,19}$")
    relevant: bool | None
    note: str = ""


class RequestedPageOut(Schema):
    """A page that all are asked to label, at page number `page` of the crawl."""

    address: str
    url: str
    crawl: int
    page: int


class LabelRequestSent(Schema):
    """Which pages: drawn at random, or with the least certain topicality."""

    how: Literal["random", "uncertain"]
    pages: int = Field(20, ge=1, le=100)


class AnnotationSent(Schema):
    """The changes: the rule by which labels count, the note with the `version` that it replaces (0
    for none), and whether others' labels are hidden from you until you have answered."""

    rule: Literal["agreed", "majority", "first"] | None = None
    guideline: str | None = None
    version: int = 0
    hide_others: bool | None = None


@router.get(
    "/{int:topic_id}/agreement",
    response={200: AgreementOut, 404: Refusal},
    summary="Show how far people agree",
)
def show_agreement(request: SignedInRequest, topic_id: int) -> Any:
    """Over all pages that people share, and by language, kind, note and month."""
    topic = visible(request, topic_id)
    pages, guideline = read_answers(topic, request.user), guideline_of(topic)
    people, counted = people_of(pages), counted_pages(topic, pages)
    table = parts(pages, people, guideline) if len(people) > 1 else []
    return {
        "labels": {
            each.get_username(): sum(each.pk in page.labels for page in pages) for each in people
        },
        "claim": measure_words(table[0]) if table else "",
        "parts": [_part(part) for part in table],
        "rule": topic.label_rule,
        "trained": counted.count,
        "left_out": counted.left_out,
        "guideline": guideline.text if guideline else None,
        "guideline_version": guideline.version if guideline else 0,
    }


@router.get(
    "/{int:topic_id}/disagreements",
    response={200: list[DisputedPageOut], 404: Refusal},
    summary="List what people label differently",
)
def list_disagreements(request: SignedInRequest, topic_id: int, settled: bool = False) -> Any:
    """Disagreements to settle, those that move most links first, or settled ones. Pages that you
    have not labelled are omitted while others' labels are hidden from you."""
    topic = visible(request, topic_id)
    pages = read_answers(topic, request.user)
    if editable_topics(request.user).filter(pk=topic.pk).exists():
        pages = pages_to_see(topic, pages, request.user)
    rows = (
        [(page, 0) for page in settled_pages(pages)]
        if settled
        else [(each.page, each.moves) for each in disagreements(pages, request.user)]
    )
    names = {each.pk: each.get_username() for each in people_of(pages)}
    stored = stored_pages([page for page, _ in rows])
    return [
        {
            "address": str(page.address),
            "url": stored[page.address].final_url if page.address in stored else "",
            "labels": {names[key]: relevant for key, relevant in page.answers.items()},
            "moves": moves,
            **(_settlement(page.settlement) if page.settlement else {}),
        }
        for page, moves in rows
    ]


@router.post(
    "/{int:topic_id}/settlements",
    response={201: dict[str, int], 404: Refusal, 422: Refusal},
    summary="Settle a page",
)
def settle_page(request: SignedInRequest, topic_id: int, sent: SettlementSent) -> Any:
    """Settles a page as on the topic, off it, or open. People's labels stay; the answer has the
    settlement's `id`."""
    topic = editable(request, topic_id)
    settlement = settle_seen(topic, int(sent.address), sent.relevant, request.user, sent.note)
    return Status(201, {"id": settlement.pk})


@router.get(
    "/{int:topic_id}/label-requests",
    response={200: list[RequestedPageOut], 404: Refusal},
    summary="List the pages that all are asked to label",
)
def list_label_requests(request: SignedInRequest, topic_id: int) -> Any:
    """Requested pages that you have not labelled yet, in the order of the requests."""
    topic = editable(request, topic_id)
    rows = requests_to(request.user, topic, read_answers(topic, request.user))
    stored = pages_at((row.crawl_id, row.seq, row.address) for row in rows)
    return [
        {
            "address": str(row.address),
            "url": stored[row.address].final_url,
            "crawl": row.crawl_id,
            "page": row.seq,
        }
        for row in rows
        if row.address in stored
    ]


@router.post(
    "/{int:topic_id}/label-requests",
    response={201: dict[str, int], 404: Refusal, 422: Refusal},
    summary="Ask all for the labels of the same pages",
)
def ask_for_labels(request: SignedInRequest, topic_id: int, sent: LabelRequestSent) -> Any:
    """Chooses pages without a label, of crawls visible to everybody who may label; the answer has
    how many `pages` there were."""
    topic = editable(request, topic_id)
    return Status(201, {"pages": ask_everybody(topic, sent.how, request.user, sent.pages)})


@router.delete(
    "/{int:topic_id}/label-requests",
    response={200: dict[str, int], 404: Refusal},
    summary="Withdraw the requests for labels",
)
def withdraw_label_requests(request: SignedInRequest, topic_id: int) -> Any:
    """Withdraws the requests for pages that nobody has labelled; the answer has the number of
    `pages`."""
    return {"pages": withdraw(editable(request, topic_id))}


@router.delete(
    "/{int:topic_id}/settlements/{int:settlement_id}",
    response={204: None, 404: Refusal, 422: Refusal},
    summary="Undo a settlement",
)
def delete_settlement(request: SignedInRequest, topic_id: int, settlement_id: int) -> Any:
    """The page is open again."""
    topic = editable(request, topic_id)
    settlement = get_object_or_404(Settlement, topic=topic, pk=settlement_id)
    undo_seen(settlement, request.user)
    return Status(204, None)


@router.put(
    "/{int:topic_id}/annotation",
    response={204: None, 404: Refusal, 422: Refusal},
    summary="Change how people label",
)
def change_annotation(request: SignedInRequest, topic_id: int, sent: AnnotationSent) -> Any:
    """Changes what is sent and leaves the rest."""
    topic = editable(request, topic_id)
    if sent.guideline is not None:
        write_guideline(topic, sent.guideline, request.user, sent.version)
    if sent.hide_others is not None:
        hide_others(topic, request.user, sent.hide_others)
    if sent.rule is not None:
        choose_rule(topic, sent.rule, request.user)
    return Status(204, None)


def _part(part: Part) -> dict[str, Any]:
    return {
        "id": part.id,
        "title": part.title,
        "pages": part.pages,
        "differ": part.differ,
        "value": part.value,
        "interval": part.interval,
    }


def _settlement(settlement: Settlement) -> dict[str, Any]:
    return {
        "settlement": settlement.pk,
        "relevant": settlement.relevant,
        "by": settlement.by.get_username() if settlement.by else None,
        "at": settlement.at,
        "note": settlement.note,
    }
