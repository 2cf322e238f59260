"""Sharing topics, crawls, experiments, webs, directories and backgrounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from ninja import Router, Schema, Status

from apps.accounts import sharing
from apps.accounts.models import Share
from apps.accounts.requests import SignedInRequest
from apps.accounts.sharing import Shareable
from apps.api.paging import Word
from apps.api.refusals import Refusal
from apps.backgrounds.selectors import owned_backgrounds
from apps.crawls.selectors import owned_crawls
from apps.directories.selectors import owned_directories
from apps.experiments.selectors import owned_experiments
from apps.topics.selectors import owned_topics
from apps.webs.selectors import shareable_webs

router = Router(tags=["sharing"])

Kind = Literal["topics", "crawls", "experiments", "webs", "directories", "backgrounds"]
OWNED: Mapping[Kind, Callable[[User], QuerySet[Any]]] = {
    "topics": owned_topics,
    "crawls": owned_crawls,
    "experiments": owned_experiments,
    "webs": shareable_webs,
    "directories": owned_directories,
    "backgrounds": owned_backgrounds,
}


class ShareOut(Schema):
    """One share: with a `person` or a `group`, by name, or with everybody who can sign in."""

    id: int
    person: str | None
    group: str | None
    everybody: bool
    may_edit: bool


class ShareSent(Schema):
    """The name of a person or a group, or null for everybody who can sign in, who may read but not
    edit. Sent again, it changes what they may do; webs, directories and backgrounds can only be
    read."""

    name: Word | None
    may_edit: bool = False


@router.get(
    "/{kind}/{int:pk}/shares", response={200: list[ShareOut], 404: Refusal}, summary="List shares"
)
def list_shares(request: SignedInRequest, kind: Kind, pk: int) -> Any:
    """The people and groups that a topic, a crawl, an experiment, a web, a directory or a
    background of yours is shared with."""
    return [_out(share) for share in sharing.shares_of(_owned_thing(request, kind, pk))]


@router.post(
    "/{kind}/{int:pk}/shares", response={201: ShareOut, 404: Refusal, 422: Refusal}, summary="Share"
)
def make_share(request: SignedInRequest, kind: Kind, pk: int, sent: ShareSent) -> Any:
    """A topic brings its web and its crawls. Only you can delete it or share it further."""
    thing = _owned_thing(request, kind, pk)
    if sent.may_edit and (sent.name is None or kind in ("webs", "directories", "backgrounds")):
        raise sharing.ShareRefused("may_edit", "This can only be shared for reading.")
    if sent.name is None:
        return Status(201, _out(sharing.share_with_everybody(thing)))
    return Status(201, _out(sharing.share(thing, sent.name, may_edit=sent.may_edit)))


@router.delete(
    "/{kind}/{int:pk}/shares/{int:share_id}",
    response={204: None, 404: Refusal},
    summary="Stop sharing",
)
def end_share(request: SignedInRequest, kind: Kind, pk: int, share_id: int) -> Any:
    """Takes effect at once, also for those who are looking at it."""
    if not sharing.unshare(_owned_thing(request, kind, pk), share_id):
        raise Http404
    return Status(204, None)


def _owned_thing(request: SignedInRequest, kind: Kind, pk: int) -> Shareable:
    thing: Shareable = get_object_or_404(OWNED[kind](request.user), pk=pk)
    return thing


def _out(share: Share) -> dict[str, Any]:
    return {
        "id": share.pk,
        "everybody": share.everybody,
        "may_edit": share.may_edit,
        "person": share.person.get_username() if share.person else None,
        "group": share.group.name if share.group else None,
    }
