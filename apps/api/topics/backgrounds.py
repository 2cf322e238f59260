"""Backgrounds: listing, building and deleting them, and choosing one for a topic."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Literal

from django.shortcuts import get_object_or_404
from ninja import File, Form, Router, Schema, Status, UploadedFile

from apps.accounts.requests import SignedInRequest
from apps.api.refusals import Refusal
from apps.background_sources import services
from apps.background_sources.services import BackgroundSent
from apps.backgrounds.models import Background
from apps.backgrounds.selectors import owned_backgrounds, visible_backgrounds
from apps.schemas.refused import Refused
from apps.topics import selectors
from apps.topics.inputs.background import chosen_version
from apps.topics.models import Topic
from apps.topics.services import choose_background

router = Router(tags=["backgrounds"])


class VersionOut(Schema):
    """One building of a background. `state` is waiting, working, done or failed; `problem`
    has the reason. `done` of `wanted` texts are read; `left_out` repeat others or have no words."""

    number: int
    state: str
    problem: str
    done: int
    wanted: int
    made_of: str
    texts: int
    words: int
    directions: int
    left_out: int
    digest: str
    built_at: datetime | None


class BackgroundOut(Schema):
    """A background with its versions, newest first; topics use the newest that is done."""

    id: int
    name: str
    owner: str
    mine: bool
    shared: bool
    source: str
    options: dict[str, Any]
    versions: list[VersionOut]


class SourceOut(Schema):
    """A source of backgrounds; `options` is the JSON schema of what it takes."""

    id: str
    title: str
    sentence: str
    takes_file: bool
    options: dict[str, Any]


class ChosenSent(Schema):
    """The number of a background; or null, and `drawn` is whether one is drawn at the start of
    each crawl. `hold_out` is what becomes of targets that lie in it: `addresses` takes them out,
    `regardless` leaves them in and does not count them, null changes nothing."""

    background: int | None
    drawn: bool = True
    hold_out: Literal["addresses", "regardless"] | None = None


class ChosenOut(Schema):
    """The background of a topic's next crawl: one that was built, with its version, else `use` is
    `drawn` or `none`."""

    use: str
    background: int | None
    version: int | None
    hold_out: str


@router.get("/backgrounds", response=list[BackgroundOut], summary="List backgrounds")
def list_backgrounds(request: SignedInRequest) -> Any:
    """Your own, and those shared with you."""
    return [_out(background, request) for background in visible_backgrounds(request.user)]


@router.get("/background-sources", response=list[SourceOut], summary="List sources")
def list_sources(request: SignedInRequest) -> Any:
    """The sources from which a background can be built."""
    return [
        {
            "id": source.id,
            "title": source.title,
            "sentence": source.sentence,
            "takes_file": source.takes_file,
            "options": source.options.model_json_schema(),
        }
        for source in services.buildable().values()
    ]


@router.post(
    "/backgrounds", response={202: BackgroundOut, 422: Refusal}, summary="Build a background"
)
def make(request: SignedInRequest, sent: BackgroundSent) -> Any:
    """It is built by a worker; its first version shows the progress."""
    return Status(202, _out(services.make_background(request.user, sent), request))


@router.post(
    "/backgrounds/file", response={202: BackgroundOut, 422: Refusal}, summary="Upload a corpus"
)
def upload(
    request: SignedInRequest,
    file: File[UploadedFile],
    name: Form[str] = "",
    source: Form[str] = "corpus",
    options: Form[str] = "{}",
) -> Any:
    """The same from a file of texts: JSON lines, a text a line, WARC or WACZ."""
    sent = BackgroundSent.read({"name": name, "source": source, "options": _read(options)})
    return Status(202, _out(services.make_background(request.user, sent, file), request))


@router.get(
    "/backgrounds/{int:background_id}",
    response={200: BackgroundOut, 404: Refusal},
    summary="Show a background",
)
def show(request: SignedInRequest, background_id: int) -> Any:
    """One background."""
    background = get_object_or_404(visible_backgrounds(request.user), pk=background_id)
    return _out(background, request)


@router.post(
    "/backgrounds/{int:background_id}/build",
    response={202: BackgroundOut, 404: Refusal, 422: Refusal},
    summary="Build again",
)
def build_again(request: SignedInRequest, background_id: int) -> Any:
    """Another version of the same source; the present one serves until it is ready."""
    background = _owned_background(request, background_id)
    services.build_again(background)
    return Status(202, _out(background, request))


@router.delete(
    "/backgrounds/{int:background_id}",
    response={204: None, 404: Refusal},
    summary="Delete a background",
)
def delete(request: SignedInRequest, background_id: int) -> Any:
    """Topics that chose it get one drawn at the start of a crawl; crawls keep theirs."""
    services.delete_background(_owned_background(request, background_id))
    return Status(204, None)


@router.get(
    "/topics/{int:topic_id}/background",
    response={200: ChosenOut, 404: Refusal},
    summary="Show a topic’s background",
)
def show_chosen(request: SignedInRequest, topic_id: int) -> Any:
    """The background that the topic's next crawl gets, if its strategy uses one."""
    topic = get_object_or_404(selectors.visible_topics(request.user), pk=topic_id)
    return _background_choice(topic)


@router.put(
    "/topics/{int:topic_id}/background",
    response={200: ChosenOut, 404: Refusal, 422: Refusal},
    summary="Choose a topic’s background",
)
def choose(request: SignedInRequest, topic_id: int, sent: ChosenSent) -> Any:
    """Chooses the background of later crawls; the classifier is trained again. Running crawls keep
    theirs."""
    topic = get_object_or_404(selectors.editable_topics(request.user), pk=topic_id)
    background = None
    if sent.background is not None:
        background = visible_backgrounds(request.user).filter(pk=sent.background).first()
        if background is None:
            raise Refused("background", "There is no such background, or it is not yours to use.")
    use = Topic.BackgroundUse.DRAWN if sent.drawn or background else Topic.BackgroundUse.NONE
    choose_background(topic, background, use, sent.hold_out or "")
    return _background_choice(topic)


def _background_choice(topic: Topic) -> dict[str, Any]:
    version = chosen_version(topic)
    return {
        "use": "built" if version else topic.background_use,
        "background": version and version.background_id,
        "version": version and version.number,
        "hold_out": topic.hold_out,
    }


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise Refused("options", "Give a JSON object.") from None


def _owned_background(request: SignedInRequest, pk: int) -> Background:
    return get_object_or_404(owned_backgrounds(request.user), pk=pk)


def _out(background: Background, request: SignedInRequest) -> dict[str, Any]:
    return {
        "id": background.pk,
        "name": background.name,
        "owner": background.owner.get_username(),
        "mine": background.owner_id == request.user.pk,
        "shared": background.shared,
        "source": background.source,
        "options": background.options,
        "versions": [
            {
                "number": version.number,
                "state": version.job_state,
                "problem": version.job_problem,
                "done": version.done,
                "wanted": version.wanted,
                "made_of": version.made_of,
                "texts": version.texts,
                "words": version.words,
                "directions": version.directions,
                "left_out": version.left_out,
                "digest": version.digest,
                "built_at": version.built_at,
            }
            for version in background.versions.all()
        ],
    }
