"""Adding and removing a topic's lists in the browser."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.lists.limits import BadList
from apps.topics.inputs.access import list_to_change
from apps.topics.models import Topic

NO_FILE = "Choose a file first. Nothing has changed."


@require_POST
def add(request: SignedInRequest, pk: int, kind: str) -> HttpResponse:
    """Replaces the topic's list of that kind by the uploaded `file`."""
    topic, wanted = list_to_change(request.user, pk, kind)
    file = request.FILES.get("file")
    if file is None:
        messages.error(request, NO_FILE)
        return _back(topic, kind)
    try:
        added = wanted.add(topic, file.name or "a file", file)
    except BadList as error:
        messages.error(request, f"{file.name} was not taken. {error}")
    else:
        notify = messages.warning if added.tone == "warn" else messages.success
        notify(request, added.words)
    return _back(topic, kind)


def remove(request: SignedInRequest, pk: int, kind: str) -> HttpResponse:
    """Asks for confirmation; the POST removes."""
    topic, wanted = list_to_change(request.user, pk, kind)
    if request.method != "POST":
        context = {"topic": topic, "list": wanted, "everywhere": wanted.serves_other_topics(topic)}
        return render(request, "topic/remove_input.html", context)
    wanted.remove(topic)
    messages.success(request, f"{wanted.title}: removed.")
    return _back(topic, kind)


def _back(topic: Topic, kind: str) -> HttpResponse:
    return redirect(f"{reverse('topic:detail', args=[topic.pk])}#inputs-{kind}")
