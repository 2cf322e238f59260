"""Agents and workers, for administrators: their load, the bottleneck of the crawls, drain and
resume."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.requests import SignedInRequest
from apps.figures.quantities import join_names
from apps.jobs.code_version import code_version
from apps.machines import events as machine_events
from apps.machines import registry, workers
from apps.machines.models import MachineEvent, Workers
from apps.screens.accounts.administration import administrators_only
from apps.screens.machines.add_machine import PASSWORD, commands
from apps.screens.machines.event_rows import event_rows
from apps.screens.machines.pieces import CRAWL, MACHINE, fleet, pieces
from apps.screens.stamps import changed_pieces

EVENTS = 100


class AgentAction(NamedTuple):
    """An action on agents: how it is carried out, the event that it records, and the effect in
    words, for one agent and for several."""

    carry_out: Callable[..., None]
    event: str
    one: str
    several: str


VERBS = {
    "drain": AgentAction(
        registry.drain,
        "agents_drained",
        "takes no new request; what it has it finishes.",
        "take no new request; what they have they finish.",
    ),
    "resume": AgentAction(
        registry.resume, "agents_resumed", "takes requests again.", "take requests again."
    ),
    "forget": AgentAction(
        registry.forget, "agents_forgotten", "is no longer listed.", "are no longer listed."
    ),
}
TAKE_NONE = "take no new crawl; those they run are handed on at the next commit."
WORKER_VERBS = {
    "drain": AgentAction(workers.drain, "workers_drained", TAKE_NONE, TAKE_NONE),
    "resume": AgentAction(
        workers.resume, "workers_resumed", "take crawls again.", "take crawls again."
    ),
    "forget": AgentAction(
        workers.forget, "workers_forgotten", "are no longer listed.", "are no longer listed."
    ),
}
NOT_ASKED = "Redis does not answer, so nothing was asked of the agents. Try again."


@never_cache
@administrators_only
def machines(request: SignedInRequest) -> HttpResponse:
    """The page of agents and workers."""
    return render(
        request,
        "machines/page.html",
        {
            "pieces": pieces(fleet(), _by(request)),
            "by": _by(request),
            "has_redis": bool(settings.REDIS_URL),
            "bucket": settings.S3_BUCKET,
            "code": code_version(),
            "commands": commands(),
            "password": PASSWORD,
        },
    )


@never_cache
@administrators_only
@require_GET
def live(request: SignedInRequest) -> HttpResponse:
    """The pieces that differ from those in the browser, whose stamps are in `shown`, as JSON."""
    drawn = pieces(fleet(), _by(request)).values()
    return JsonResponse({"pieces": changed_pieces(request.GET.get("shown", ""), drawn)})


@never_cache
@administrators_only
def events(request: SignedInRequest) -> HttpResponse:
    """All events of machines that are kept, newest first."""
    pages = Paginator(MachineEvent.objects.select_related("by"), EVENTS)
    page = pages.get_page(request.GET.get("page"))
    rows = event_rows(page.object_list)
    return render(
        request,
        "machines/all_events.html",
        {"page": page, "events": rows, "kept": machine_events.KEPT},
    )


def _by(request: SignedInRequest) -> str:
    return CRAWL if request.GET.get("by") == CRAWL else MACHINE


@never_cache
@administrators_only
@require_POST
def act(request: SignedInRequest) -> HttpResponse:
    """Carries out `drain`, `resume` or `forget` on the agents whose names are its value."""
    verb = next((verb for verb in VERBS if verb in request.POST), "")
    names = set(filter(None, request.POST.get(verb, "").split(",")))
    try:
        chosen = [agent for agent in registry.agents() if agent.name in names]
        if not names or len(chosen) != len(names):
            messages.error(request, "There is no such agent any more, or nothing like that to do.")
            return redirect("machines:machines")
        asked = VERBS[verb]
        asked.carry_out(*sorted(names))
    except registry.RedisDown:
        messages.error(request, NOT_ASKED)
        return redirect("machines:machines")
    groups = []
    for machine in dict.fromkeys(agent.word.machine for agent in chosen):
        numbers = [agent.word.number for agent in chosen if agent.word.machine == machine]
        machine_events.write(asked.event, machine, by=request.user, agents=numbers)
        groups.append(f"{machine_events.agent_names(numbers)} of {machine}")
    words = asked.one if len(chosen) == 1 else asked.several
    messages.success(request, f"{join_names(groups)}: {words}")
    return redirect("machines:machines")


@never_cache
@administrators_only
@require_POST
def act_on_workers(request: SignedInRequest) -> HttpResponse:
    """Carries out `drain`, `resume` or `forget` on the workers of the machine whose system it
    names."""
    verb = next((verb for verb in WORKER_VERBS if verb in request.POST), "")
    system = request.POST.get(verb, "").replace("\0", "")
    listed = Workers.objects.filter(system=system).first()
    if listed is None:
        messages.error(request, "There is no such machine any more, or nothing like that to do.")
        return redirect("machines:machines")
    asked = WORKER_VERBS[verb]
    asked.carry_out(listed.system)
    machine_events.write(asked.event, listed.machine, by=request.user)
    messages.success(request, f"Workers of {listed.machine}: {asked.several}")
    return redirect("machines:machines")
