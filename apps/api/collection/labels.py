"""Labelling all pages of a search."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status

from apps.accounts.requests import SignedInRequest
from apps.api.collection.pages import SearchParameters
from apps.api.filters import check_search
from apps.api.refusals import Refusal
from apps.collection.labelling import label_matches, take_back
from apps.collection.models import BulkLabelling
from apps.collection.search import CollectionSearch, search_crawl, search_topic
from apps.crawls.commands.labelling.labels import LETTERS

router = Router(tags=["labels"])
BY_LABEL = {relevant: letter for letter, relevant in LETTERS.items()}


class LabelOfAll(Schema):
    """Whether the pages are on the topic; null removes their labels."""

    relevant: bool | None


class LabellingOut(Schema):
    """`done` of `pages` are labelled, or have their former labels if it is `undone`; `refused` of
    them could not be. `state` is waiting, working, done or failed; then `problem` is the reason."""

    id: int
    relevant: bool | None
    pages: int
    done: int
    refused: int
    undone: bool
    state: str
    problem: str


@router.post(
    "/topics/{int:topic_id}/pages/labels",
    response={202: LabellingOut, 404: Refusal, 422: Refusal},
    summary="Label all pages of a search",
)
def label_topic_pages(
    request: SignedInRequest, topic_id: int, wanted: Query[SearchParameters], sent: LabelOfAll
) -> Any:
    """Labels every page of the search that you may label, at most 5,000, in the background."""
    return _label(request, search_topic(request.user, topic_id, request.GET), sent)


@router.post(
    "/crawls/{int:crawl_id}/pages/labels",
    response={202: LabellingOut, 404: Refusal, 422: Refusal},
    summary="Label all pages of a crawl's search",
)
def label_crawl_pages(
    request: SignedInRequest, crawl_id: int, wanted: Query[SearchParameters], sent: LabelOfAll
) -> Any:
    """Labels pages of one crawl."""
    return _label(request, search_crawl(request.user, crawl_id, request.GET), sent)


@router.get(
    "/labellings/{int:labelling_id}",
    response={200: LabellingOut, 404: Refusal},
    summary="Show a labelling",
)
def show_labelling(request: SignedInRequest, labelling_id: int) -> Any:
    """The progress of a labelling of yours."""
    return _row(_labelling(request, labelling_id))


@router.post(
    "/labellings/{int:labelling_id}/undo",
    response={202: LabellingOut, 404: Refusal, 422: Refusal},
    summary="Undo a labelling",
)
def undo_labelling(request: SignedInRequest, labelling_id: int) -> Any:
    """Restores the labels of before, in the background; labels given since stay."""
    job = _labelling(request, labelling_id)
    take_back(job)
    return Status(202, _row(job))


def _label(request: SignedInRequest, search: CollectionSearch, sent: LabelOfAll) -> Any:
    letter = BY_LABEL[sent.relevant]
    return Status(202, _row(label_matches(request.user, check_search(request, search), letter)))


def _labelling(request: SignedInRequest, pk: int) -> BulkLabelling:
    return get_object_or_404(BulkLabelling, pk=pk, by=request.user)


def _row(job: BulkLabelling) -> dict[str, Any]:
    return {
        "id": job.pk,
        "relevant": job.relevant,
        "pages": job.page_count,
        "done": job.done,
        "refused": job.refused,
        "undone": job.undone,
        "state": job.job_state,
        "problem": job.job_problem,
    }
