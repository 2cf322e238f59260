"""The pages of a crawl to label first."""

from __future__ import annotations

from typing import Any

from ninja import Query, Router, Schema
from pydantic import Field

from apps.accounts.requests import SignedInRequest
from apps.api.crawls.crawls import visible
from apps.api.refusals import Refusal
from apps.crawls.labels.proposals import GOAL, SHOWN, label_queue

router = Router(tags=["labels"])
MOST = 100


class ProposedOut(Schema):
    """A page to label: why it is asked (drawn at random for `measuring`, or for `teaching`), the
    crawler's own chance that it is on the topic, and how many waiting links it has."""

    page: int
    url: str
    title: str
    kind: str
    chance: float | None
    moves: int


class LabelQueueOut(Schema):
    """`labelled` of `goal` labels are given. `is_useful` is false if labels do not change how the
    crawl ranks links."""

    is_useful: bool
    labelled: int
    goal: int
    items: list[ProposedOut]


class ProposalParameters(Schema):
    most: int = Field(SHOWN, ge=1, le=MOST, description="How many pages.")


@router.get(
    "/{int:crawl_id}/proposals",
    response={200: LabelQueueOut, 404: Refusal, 422: Refusal},
    summary="Pages to label first",
)
def proposals(request: SignedInRequest, crawl_id: int, wanted: Query[ProposalParameters]) -> Any:
    """The pages whose labels are worth most, best first; label them as any page, or skip one with
    the command `skip`."""
    queue = label_queue(visible(request, crawl_id), wanted.most)
    if queue is None:
        return {"is_useful": False, "labelled": 0, "goal": GOAL, "items": []}
    items = [
        {
            "page": proposal.page.seq,
            "url": proposal.page.final_url,
            "title": proposal.page.title,
            "kind": proposal.kind,
            "chance": proposal.chance,
            "moves": proposal.moves,
        }
        for proposal in queue.proposals
    ]
    return {"is_useful": True, "labelled": queue.labelled, "goal": GOAL, "items": items}
