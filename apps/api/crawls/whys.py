"""Why a URL of a crawl has the priority it has."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from ninja import Router, Schema

from apps.accounts.requests import SignedInRequest
from apps.api.crawls.crawls import visible
from apps.api.refusals import Refusal
from apps.crawls.explaining.why import Why, why

router = Router(tags=["pages"])


class PartOut(Schema):
    """One term of the score: its name in the formula, a `text` for people, and its value."""

    term: str
    text: str
    value: float


class WordOut(Schema):
    """A word near the link; `weight` is the classifier's (null: none that counts), `linked` whether
    it is one of the link's own."""

    text: str
    weight: float | None
    linked: bool


class WhyOut(Schema):
    """Why a URL was fetched when it was, or waits where it does.

    `page` is its page, null while it waits, `parent` the page whose link gave the priority, null of
    a seed. `parents` is how many pages link to it, of those fetched before it or so far but the
    last `unread`. `parts` are the terms of `formula`; `log_odds` is their sum if they add up to the
    log-odds of the chance. `trouble` is why they cannot be computed.
    """

    url: str
    page: int | None
    parent: int | None
    parents: int
    unread: int
    waited: int | None
    priority: float | None
    formula: str
    sentence: str
    parts: list[PartOut]
    log_odds: float | None
    words: list[WordOut]
    path: list[int]
    trouble: str


@router.get(
    "/{int:crawl_id}/urls/{int:number}/why",
    response={200: WhyOut, 404: Refusal},
    summary="Why a URL has its priority",
)
def why_url(request: SignedInRequest, crawl_id: int, number: int) -> Any:
    """The URL with this number in the crawl, as in the queue's head or on a page's path; its
    formula with its values, in a sentence, and the words around its link."""
    answer = why(visible(request, crawl_id), number) if number < 2**31 else None
    if answer is None:
        raise Http404("the crawl has no such address")
    return _out(answer)


def _out(answer: Why) -> dict[str, Any]:
    rows = answer.parts.rows if answer.parts else ()
    return {
        "url": answer.url,
        "page": answer.fetched.seq if answer.fetched else None,
        "parent": answer.parent.seq if answer.parent else None,
        "parents": answer.parents,
        "unread": answer.unread,
        "waited": answer.waited,
        "priority": answer.priority,
        "formula": answer.explanation.formula if answer.explanation else "",
        "sentence": answer.sentence,
        "parts": [{"term": p.term, "text": p.text, "value": p.value} for p in rows],
        "log_odds": answer.parts.sum if answer.parts else None,
        "words": [
            {"text": word.text, "weight": word.weight, "linked": word.linked}
            for word in answer.words
        ],
        "path": [page.seq for page in answer.path],
        "trouble": answer.trouble,
    }
