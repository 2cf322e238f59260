"""Showing, adding and removing the shares of a person's own topic, crawl, experiment, web,
directory or background."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from apps.accounts.requests import SignedInRequest
from apps.accounts.sharing import Shareable, ShareRefused, share, share_with_everybody, unshare
from apps.backgrounds.selectors import owned_backgrounds
from apps.crawls.selectors import owned_crawls
from apps.directories.selectors import owned_directories
from apps.experiments.selectors import owned_experiments
from apps.schemas.numbers import whole_number
from apps.screens.sharing.box import share_box
from apps.topics.definition.lines import storable
from apps.topics.selectors import owned_topics
from apps.webs.selectors import shareable_webs


@dataclass(frozen=True, slots=True)
class SharedKind:
    """A kind of thing that can be shared: a person's own ones, and the name of its page."""

    owned: Callable[[User], QuerySet[Any]]
    page: str


KINDS: Mapping[str, SharedKind] = {
    "topic": SharedKind(owned_topics, "topic:detail"),
    "crawl": SharedKind(owned_crawls, "live:crawl"),
    "experiment": SharedKind(owned_experiments, "experiment:experiment"),
    "web": SharedKind(shareable_webs, "webs:web"),
    "directory": SharedKind(owned_directories, "directories:directory"),
    "background": SharedKind(owned_backgrounds, "backgrounds:background"),
}


def shares(request: SignedInRequest, kind: str, pk: int) -> HttpResponse:
    """The share box on its own page; the POST adds or removes and redirects to the thing.

    A refused name stays in its field, with the error.
    """
    if kind not in KINDS:
        raise Http404
    thing = get_object_or_404(KINDS[kind].owned(request.user), pk=pk)
    page, typed, refusal = reverse(KINDS[kind].page, args=[pk]), "", ""
    if request.method == "POST":
        typed = storable(request.POST.get("name", ""))
        try:
            messages.success(request, _change(thing, typed, request))
            return redirect(f"{page}#sharing")
        except ShareRefused as refused:
            refusal = refused.message
    box = share_box(thing, typed, refusal)
    return render(request, "sharing/page.html", {"thing": thing, "page": page, "box": box})


def _change(thing: Shareable, name: str, request: SignedInRequest) -> str:
    if "remove" in request.POST:
        removed = whole_number(request.POST["remove"])
        if removed is None or not unshare(thing, removed):
            raise ShareRefused("name", "It is not shared with them any more.")
        return "Sharing ended."
    if "everybody" in request.POST:
        share_with_everybody(thing)
        return "Shared with everybody who can sign in."
    made = share(thing, name, may_edit=request.POST.get("may") == "edit")
    return f"Shared with {made}."
