"""A topic that begins with a sentence, and its crawl."""

from __future__ import annotations

from typing import Annotated, Any

from django.shortcuts import get_object_or_404
from ninja import Header, Router, Schema, Status
from pydantic import Field, StringConstraints

from apps.accounts.requests import SignedInRequest
from apps.api.paging import Word
from apps.api.refusals import Refusal
from apps.api.topics.topics import TopicDetail, detail_of, web_named
from apps.begin.drafts import Typed, check_same, write_draft, write_keyed_draft
from apps.begin.models import CandidatePage, Draft
from apps.begin.services import AlreadyMade, start_crawl, start_once_gathered
from apps.schemas.input import Input
from apps.topics.definition.schemas import Keyword, Line, Paragraph
from apps.webs.selectors import recorded_webs

router = Router(tags=["topics"])


class Beginning(Input):
    """A sentence, words and addresses, any of them. Without a `name` one is made of the sentence.
    `web` names a recorded web, null the live Web."""

    description: Annotated[Paragraph, StringConstraints(max_length=10_000)] = ""
    keywords: Annotated[tuple[Keyword, ...], Field(max_length=200, strict=False)] = ()
    seeds: Annotated[tuple[Line, ...], Field(max_length=10_000, strict=False)] = ()
    name: Annotated[Line, StringConstraints(max_length=200)] = ""
    web: Word | None = None


class Begun(TopicDetail):
    """The topic; `crawl` is the number of its queued crawl."""

    crawl: int


class GatheringOut(Schema):
    """A sentence for which pages to begin at are being gathered. `state` is waiting, working, done
    or failed; then `problem` says why. `topic` and `crawl` are their numbers once there are any."""

    id: int
    state: str
    problem: str
    read: int
    topic: int | None
    crawl: int | None


@router.post(
    "/begin",
    response={201: Begun, 202: GatheringOut, 422: Refusal},
    summary="Begin a topic and crawl it",
)
def begin(
    request: SignedInRequest,
    sent: Beginning,
    key: Annotated[str, Header("", alias="Idempotency-Key", max_length=200)],
) -> Any:
    """Makes a topic of a sentence, keywords and seeds, none of which need examples, and queues the
    learner's crawl of it. Lines that are not accepted are listed in `untaken`. Without seeds, pages
    are gathered in the background from the sources that are set up, and the crawl begins at the
    best of them: the answer is 202 with the number to ask `/begin/{id}` for.

    With a header `Idempotency-Key`, any text of up to 200 characters that is new for each
    beginning, a request that is sent again, also at the same moment, begins nothing more and is
    answered like the first; with other content it is refused. Without it, each request begins a
    topic.
    """
    web = web_named(request, sent.web)
    typed = Typed(
        sentence=sent.description,
        words=sent.keywords,
        addresses="\n".join(sent.seeds),
        name=sent.name,
        web=recorded_webs(request.user).filter(pk=web or 0).first(),
    )
    draft = _draft_of(request, typed, key)
    if draft.topic is None:
        try:
            if not start_once_gathered(draft):
                start_crawl(draft)
        except AlreadyMade:
            check_same(Draft.objects.get(pk=draft.pk), typed)
    return _answer(request, Draft.objects.get(pk=draft.pk))


def _draft_of(request: SignedInRequest, typed: Typed, key: str) -> Draft:
    if key:
        return write_keyed_draft(request.user, typed, key)
    return write_draft(request.user, typed)


def _answer(request: SignedInRequest, draft: Draft) -> Any:
    gathering = _gathering(draft)
    if draft.topic is None or gathering["crawl"] is None:
        return Status(202, gathering)
    return Status(201, {**detail_of(draft.topic, request), "crawl": gathering["crawl"]})


@router.get(
    "/begin/{int:draft_id}",
    response={200: GatheringOut, 404: Refusal},
    summary="Show a beginning",
)
def show_beginning(request: SignedInRequest, draft_id: int) -> Any:
    """How far the gathering of pages for a sentence is, then its topic and crawl."""
    return _gathering(get_object_or_404(Draft, owner=request.user, pk=draft_id))


def _gathering(draft: Draft) -> dict[str, Any]:
    read = draft.candidates.filter(fetch=CandidatePage.FetchState.FETCHED)
    crawl = draft.topic.crawls.order_by("pk").first() if draft.topic else None
    return {
        "id": draft.pk,
        "state": Draft.State.DONE if draft.topic else draft.job_state,
        "problem": draft.job_problem,
        "read": read.count(),
        "topic": draft.topic_id,
        "crawl": crawl.pk if crawl else None,
    }
