"""The addresses that a topic's crawls met and did not collect, and their numbers by reason."""

from __future__ import annotations

from typing import Any

from ninja import Query, Router

from apps.accounts.requests import SignedInRequest
from apps.api.crawls.left_out import (
    LeftOutCounts,
    LeftOutFilter,
    LeftOutPage,
    addresses_of,
    counts_of,
)
from apps.api.refusals import Refusal
from apps.api.topics.topics import visible
from apps.crawls.left_out.summary import summarise
from apps.crawls.models import Crawl
from apps.crawls.selectors import many_of_topic

router = Router(tags=["left out"])


@router.get(
    "/{int:topic_id}/left-out",
    response={200: LeftOutCounts, 404: Refusal},
    summary="Count what a topic's crawls left out",
)
def count_left_out_of_topic(request: SignedInRequest, topic_id: int) -> Any:
    """Everything that the crawls met and did not take, by reason, each address once a crawl.
    Remedies are those of each crawl: none are named here."""
    return counts_of(summarise(_crawls(request, topic_id)))


@router.get(
    "/{int:topic_id}/left-out/addresses",
    response={200: LeftOutPage, 404: Refusal},
    summary="List what a topic's crawls left out",
)
def list_left_out_of_topic(
    request: SignedInRequest, topic_id: int, wanted: Query[LeftOutFilter]
) -> Any:
    """The addresses that were met and not taken, those of the best priority first, each with its
    crawl."""
    return addresses_of(_crawls(request, topic_id), wanted)


def _crawls(request: SignedInRequest, topic_id: int) -> list[Crawl]:
    topic = visible(request, topic_id)
    return many_of_topic(topic, request.user)
