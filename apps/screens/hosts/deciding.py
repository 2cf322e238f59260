"""Decisions on the hosts of a topic, and taking them back."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.hosts import services
from apps.hosts.services import Decided
from apps.schemas.input import Refused
from apps.schemas.numbers import whole_number
from apps.screens.answers import wants_json
from apps.screens.hosts.words import done_words, undone_words
from apps.topics.definition.lines import storable
from apps.topics.models import HostAct, Topic
from apps.topics.selectors import editable_topics


@require_POST
def decide(request: SignedInRequest, pk: int) -> HttpResponse:
    """Takes the hosts in `host`, or in the lines of `hosts`, to the state `state`; `one` is a state
    and a host of its own. Answers a script with `{message, undo, states}`."""
    topic = get_object_or_404(editable_topics(request.user), pk=pk)
    state, _, name = storable(request.POST.get("one", "")).partition(" ")
    names = [name] if name else _names(request)
    state = state or request.POST.get("state", "")
    return _answer(
        request, topic, lambda: services.decide(topic, names, state, request.user), done_words
    )


@require_POST
def undo(request: SignedInRequest, pk: int) -> HttpResponse:
    """Restores what was before the decision `act`."""
    topic = get_object_or_404(editable_topics(request.user), pk=pk)
    act = get_object_or_404(HostAct, topic=topic, pk=whole_number(request.POST.get("act", "")) or 0)
    return _answer(request, topic, lambda: services.undo(act, request.user), undone_words)


def _names(request: SignedInRequest) -> list[str]:
    lines = storable(request.POST.get("hosts", "")).replace(",", "\n").splitlines()
    return [*map(storable, request.POST.getlist("host")), *filter(None, map(str.strip, lines))]


def _answer(
    request: SignedInRequest,
    topic: Topic,
    act: Callable[[], Decided],
    words: Callable[[Decided], str],
) -> HttpResponse:
    try:
        decided = act()
    except Refused as refusal:
        if wants_json(request):
            return JsonResponse({"ok": False, "message": refusal.message}, status=422)
        messages.error(request, refusal.message)
        return _back(request, topic)
    if not wants_json(request):
        messages.success(request, words(decided))
        return _back(request, topic)
    answer = {"message": words(decided), "undo": decided.act.pk, "states": decided.states}
    return JsonResponse(answer)


def _back(request: SignedInRequest, topic: Topic) -> HttpResponse:
    address = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(address, allowed_hosts=None):
        return redirect(address)
    return redirect("hosts:list", topic.pk)
