"""A topic that begins with a sentence, and its crawl."""

from __future__ import annotations

from typing import Annotated, Any

from ninja import Router, Status
from pydantic import Field, StringConstraints

from apps.accounts.requests import SignedInRequest
from apps.api.paging import Word
from apps.api.refusals import Refusal
from apps.api.topics.topics import TopicDetail, detail_of, web_named
from apps.begin.services import Typed, start_crawl, write_draft
from apps.schemas.input import Input
from apps.topics.definition.schemas import Keyword, Line, Paragraph
from apps.webs.selectors import recorded_webs

router = Router(tags=["topics"])


class Beginning(Input):
    """A sentence, words and addresses; one of the seeds at least. Without a `name` one is made of
    the sentence. `web` names a recorded web, null the live Web."""

    description: Annotated[Paragraph, StringConstraints(max_length=10_000)] = ""
    keywords: Annotated[tuple[Keyword, ...], Field(max_length=200, strict=False)] = ()
    seeds: Annotated[tuple[Line, ...], Field(max_length=10_000, strict=False)] = ()
    name: Annotated[Line, StringConstraints(max_length=200)] = ""
    web: Word | None = None


class Begun(TopicDetail):
    """The topic; `crawl` is the number of its queued crawl."""

    crawl: int


@router.post("/begin", response={201: Begun, 422: Refusal}, summary="Begin a topic and crawl it")
def begin(request: SignedInRequest, sent: Beginning) -> Any:
    """Makes a topic of a sentence, keywords and seeds, none of which need examples, and queues the
    learner's crawl of it. Lines that are not accepted are listed in `untaken`."""
    web = web_named(request, sent.web)
    typed = Typed(
        sentence=sent.description,
        words=sent.keywords,
        addresses="\n".join(sent.seeds),
        name=sent.name,
        web=recorded_webs(request.user).filter(pk=web or 0).first(),
    )
    started = start_crawl(write_draft(request.user, typed))
    detail = detail_of(started.saved.topic, request)
    return Status(201, {**detail, "crawl": started.crawl.pk})
