"""A topic's form that is set aside while pages are chosen on the screens of its web.

All that was typed, also bad lines and the lines of files, stays in the person's session.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode

from apps.accounts.requests import SignedInRequest
from apps.schemas.numbers import whole_number
from apps.screens.offers import rows_of
from apps.screens.topic.forms import TopicForm
from apps.topics.definition.list_files import below
from apps.topics.models import Topic
from apps.webs.models import Web

KEY = "topic-form-set-aside"
GO_ON = "go_on"
"""The parameter of the form's address with which it goes on."""
NO_WEB = "Choose a recorded web first: the live Web has no list of pages to browse."


@dataclass(frozen=True, slots=True)
class SetAside:
    """A form that waits for pages of a web; `topic` is the one that is edited, None for a new one.
    `typed` are the values of its fields."""

    web: int
    topic: int | None
    typed: dict[str, Any]

    @property
    def address(self) -> str:
        """Where the form goes on."""
        form = reverse("topic:edit", args=[self.topic]) if self.topic else reverse("topic:new")
        return f"{form}?{urlencode({GO_ON: 1})}"


def put(request: SignedInRequest, form: TopicForm, topic: Topic | None = None) -> Web | None:
    """Keeps what the form's POST has and returns the web to browse; None if there is none, or a
    file cannot be read, which the form then says at its field."""
    form.drop_errors_but_of_files()
    web: Web | None = (
        rows_of(form, "web").filter(pk=whole_number(form["web"].value() or "")).first()
    )
    if web is None or not web.is_recorded:
        form.add_error("web", NO_WEB)
    if web is None or form.errors:
        return None
    typed = {field.name: field.value() or "" for field in form}
    request.session[KEY] = {"web": web.pk, "topic": topic and topic.pk, "typed": typed}
    return web


def waiting(request: SignedInRequest) -> SetAside | None:
    """The form that was set aside last, until it is saved or left."""
    kept = request.session.get(KEY)
    return SetAside(**kept) if kept else None


def going_on(request: SignedInRequest, topic: Topic | None = None) -> SetAside | None:
    """The form of this topic, or of a new one, if it was set aside and its address goes on with
    it."""
    return _waiting_of(request, topic) if GO_ON in request.GET else None


def waiting_for(request: SignedInRequest, web: Web) -> SetAside | None:
    """The form that waits for pages of this web, or None."""
    form = waiting(request)
    return form if form is not None and form.web == web.pk else None


def add_pages(request: SignedInRequest, name: str, urls: Sequence[str]) -> int:
    """Adds addresses to a list of the form that waits, each once; returns how many are new."""
    kept = request.session[KEY]
    before = kept["typed"].get(name) or ""
    before_lines = {line.strip() for line in before.splitlines()}
    fresh = [url for url in urls if url not in before_lines]
    if fresh:
        kept["typed"][name] = below(before, "\n".join(fresh))
        request.session[KEY] = kept
    return len(fresh)


def forget(request: SignedInRequest, topic: Topic | None = None) -> None:
    """After this topic's form, or that of a new one, is saved; another one waits on."""
    if _waiting_of(request, topic):
        leave(request)


def leave(request: SignedInRequest) -> None:
    """No form waits any longer."""
    request.session.pop(KEY, None)


def _waiting_of(request: SignedInRequest, topic: Topic | None) -> SetAside | None:
    form = waiting(request)
    return form if form is not None and form.topic == (topic and topic.pk) else None
