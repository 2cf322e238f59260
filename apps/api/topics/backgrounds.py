"""Backgrounds: listing, building and deleting them, and choosing one for a topic."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import File, Form, Router, Schema, Status, UploadedFile

from apps.api.refusals import Refusal
from apps.background_sources import services
from apps.background_sources.services import BackgroundSent
from apps.backgrounds.models import Background
from apps.backgrounds.selectors import owned_backgrounds, visible_backgrounds
from apps.schemas.input import Refused
from apps.topics import selectors
from apps.topics.inputs.background import chosen_version
from apps.topics.models import Topic
from apps.topics.services import choose_background

router = Router(tags=["backgrounds"])


class VersionOut(Schema):
    """One building of a background. `state` is waiting, working, done or failed; then `problem`
    says why. `done` of `wanted` texts are read; `left_out` repeat others or have no words."""

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
    """The number of a background; or null, and `drawn` says whether one is drawn at the start of
    each crawl."""

    background: int | None
    drawn: bool = True


class ChosenOut(Schema):
    """The background of a topic's next crawl: one that was built, with its version, else `use` is
    `drawn` or `none`."""

    use: str
    background: int | None
    version: int | None


@router.get("/backgrounds", response=list[BackgroundOut], summary="List backgrounds")
def list_backgrounds(request: HttpRequest) -> Any:
    """Your own, and those shared with you."""
    return [_out(each, request) for each in visible_backgrounds(request.user)]


@router.get("/background-sources", response=list[SourceOut], summary="List sources")
def list_sources(request: HttpRequest) -> Any:
    """What a background can be built from."""
    return [
        {"id": source.id, "title": source.title, "sentence": source.sentence,
         "takes_file": source.takes_file, "options": source.options.model_json_schema()}
        for source in services.buildable().values()
    ]  # fmt: skip


@router.post("/backgrounds", response={202: BackgroundOut, 422: Refusal},
             summary="Build a background")  # fmt: skip
def make(request: HttpRequest, sent: BackgroundSent) -> Any:
    """It is built by a worker; its first version shows the progress."""
    return Status(202, _out(services.make_background(request.user, sent), request))


@router.post("/backgrounds/file", response={202: BackgroundOut, 422: Refusal},
             summary="Upload a corpus")  # fmt: skip
def upload(
    request: HttpRequest, file: File[UploadedFile], name: Form[str] = "",
    source: Form[str] = "corpus", options: Form[str] = "{}",
) -> Any:
    """The same from a file of texts: JSON lines, a text a line, WARC or WACZ."""
    sent = BackgroundSent.read({"name": name, "source": source, "options": _read(options)})
    return Status(202, _out(services.make_background(request.user, sent, file), request))


@router.get("/backgrounds/{int:background_id}", response={200: BackgroundOut, 404: Refusal},
            summary="Show a background")  # fmt: skip
def show(request: HttpRequest, background_id: int) -> Any:
    """One background."""
    found = get_object_or_404(visible_backgrounds(request.user), pk=background_id)
    return _out(found, request)


@router.post("/backgrounds/{int:background_id}/build",
             response={202: BackgroundOut, 404: Refusal, 422: Refusal},
             summary="Build again")  # fmt: skip
def build_again(request: HttpRequest, background_id: int) -> Any:
    """Another version of the same source; the present one serves until it is ready."""
    found = _own(request, background_id)
    services.build_again(found)
    return Status(202, _out(found, request))


@router.delete("/backgrounds/{int:background_id}", response={204: None, 404: Refusal},
               summary="Delete a background")  # fmt: skip
def delete(request: HttpRequest, background_id: int) -> Any:
    """Topics that chose it get one drawn at the start of a crawl; crawls keep theirs."""
    services.delete_background(_own(request, background_id))
    return Status(204, None)


@router.get("/topics/{int:topic_id}/background", response={200: ChosenOut, 404: Refusal},
            summary="Show a topic’s background")  # fmt: skip
def show_chosen(request: HttpRequest, topic_id: int) -> Any:
    """What its next crawl is given, if its strategy uses a background."""
    topic = get_object_or_404(selectors.visible_topics(request.user), pk=topic_id)
    return _chosen(topic)


@router.put("/topics/{int:topic_id}/background",
            response={200: ChosenOut, 404: Refusal, 422: Refusal},
            summary="Choose a topic’s background")  # fmt: skip
def choose(request: HttpRequest, topic_id: int, sent: ChosenSent) -> Any:
    """For later crawls; the classifier is trained again. Running crawls keep theirs."""
    topic = get_object_or_404(selectors.editable_topics(request.user), pk=topic_id)
    found = None
    if sent.background is not None:
        found = visible_backgrounds(request.user).filter(pk=sent.background).first()
        if found is None:
            raise Refused("background", "There is no such background, or it is not yours to use.")
    use = Topic.BackgroundUse.DRAWN if sent.drawn or found else Topic.BackgroundUse.NONE
    choose_background(topic, found, use)
    return _chosen(topic)


def _chosen(topic: Topic) -> dict[str, Any]:
    version = chosen_version(topic)
    return {
        "use": "built" if version else topic.background_use,
        "background": version and version.background_id, "version": version and version.number,
    }


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise Refused("options", "Give a JSON object.") from None


def _own(request: HttpRequest, pk: int) -> Background:
    return get_object_or_404(owned_backgrounds(request.user), pk=pk)


def _out(found: Background, request: HttpRequest) -> dict[str, Any]:
    return {
        "id": found.pk, "name": found.name, "owner": found.owner.get_username(),
        "mine": found.owner_id == request.user.pk, "shared": found.shared,
        "source": found.source, "options": found.options,
        "versions": [
            {"number": each.number, "state": each.job_state, "problem": each.job_problem,
             "done": each.done, "wanted": each.wanted, "made_of": each.made_of,
             "texts": each.texts, "words": each.words, "directions": each.directions,
             "left_out": each.left_out, "digest": each.digest, "built_at": each.built_at}
            for each in found.versions.all()
        ],
    }  # fmt: skip
