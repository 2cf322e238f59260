"""Labelling pages."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from ninja import Router, Schema

from apps.accounts.requests import SignedInRequest
from apps.api.crawls.crawls import editable
from apps.api.refusals import Refusal
from apps.crawls.commands.labelling import labels
from apps.crawls.commands.labelling.retrain import pending

router = Router(tags=["labels"])


class LabelSent(Schema):
    """Whether the page is on the topic; null removes a label. `note` is your reason."""

    relevant: bool | None
    note: str = ""


class LabelOut(Schema):
    """Your label of the page now, how many new labels are not yet learned from, and whether the
    crawl has just been asked to learn from them (after five)."""

    relevant: bool | None
    pending: int
    asked: bool


@router.put(
    "/{int:crawl_id}/pages/{int:seq}/label",
    response={200: LabelOut, 404: Refusal, 422: Refusal},
    summary="Label a page",
)
def label_page(request: SignedInRequest, crawl_id: int, seq: int, sent: LabelSent) -> Any:
    """The label is yours: others' stay. By the label that counts the page becomes an example of the
    topic. Sending the same label twice changes nothing."""
    crawl = editable(request, crawl_id)
    get_object_or_404(crawl.pages_fetched, seq=seq)
    present = labels.labels_of(crawl, [seq], request.user).get(seq)
    if sent.relevant == present:
        waiting = pending(crawl)
        return {"relevant": present, "pending": waiting, "asked": False}
    label = present if sent.relevant is None else sent.relevant
    done = labels.label(crawl, seq, bool(label), request.user, note=sent.note)
    return {"relevant": done.relevant, "pending": done.pending, "asked": done.asked}
