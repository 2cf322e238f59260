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
from apps.lists.limits import FILE_BYTES, BadList
from apps.lists.reading import read_list
from apps.schemas.numbers import whole_number
from apps.schemas.refused import Refused
from apps.screens.answers import wants_json
from apps.screens.hosts.words import done_words, undone_words
from apps.topics.definition.host_lists import as_hosts
from apps.topics.definition.lines import storable
from apps.topics.models import HostAct, Topic
from apps.topics.selectors import editable_topics


@require_POST
def decide(request: SignedInRequest, pk: int) -> HttpResponse:
    """Takes the hosts in `host`, in the lines of `hosts`, and in the lists `pasted` and `file`, to
    the state `state`; `one` is a state and a host of its own. Answers a script with
    `{message, undo, states}`."""
    topic = get_object_or_404(editable_topics(request.user), pk=pk)
    state, _, name = storable(request.POST.get("one", "")).partition(" ")
    state = state or request.POST.get("state", "")

    def act() -> Decided:
        names = [name] if name else _names(request)
        return services.decide(topic, names, state, request.user)

    return _answer(request, topic, act, done_words)


@require_POST
def undo(request: SignedInRequest, pk: int) -> HttpResponse:
    """Restores what was before the decision `act`."""
    topic = get_object_or_404(editable_topics(request.user), pk=pk)
    act = get_object_or_404(HostAct, topic=topic, pk=whole_number(request.POST.get("act", "")) or 0)
    return _answer(request, topic, lambda: services.undo(act, request.user), undone_words)


def _names(request: SignedInRequest) -> list[str]:
    """The selected hosts, those of the list in use, and those sent as text or file by a browser
    without scripts. Raises Refused."""
    taken = storable(request.POST.get("hosts", "")).splitlines()
    names = [*map(storable, request.POST.getlist("host")), *filter(None, map(str.strip, taken))]
    file = request.FILES.get("file")
    for content in (file.read(FILE_BYTES + 1) if file else "", request.POST.get("pasted", "")):
        names += _read(content) if content.strip() else []
    return names


def _read(content: bytes | str) -> list[str]:
    """The hosts of a list. Raises Refused if a line has none."""
    try:
        reading = as_hosts(read_list(content))
    except BadList as error:
        raise Refused("hosts", str(error)) from None
    for each in reading.refused[:1]:
        words = f"Line {each.line}, “{each.text[:100]}”, is not a host: write it as in a.example."
        raise Refused("hosts", f"{words} Nothing was decided.")
    return [entry.url for entry in reading.entries]


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
