"""The events of the site's machines: their kinds, and storing them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.utils import timezone

from apps.figures.quantities import join_names, number_of
from apps.machines.models import MachineEvent

KEPT = 1000
"""So many events are kept, the newest."""
TOGETHER = timedelta(seconds=30)
REPEATED = timedelta(hours=1)
Payload = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MachineEventKind:
    """A kind of event: `title` in bold, then the `words` of its payload. `upgrade`: its machine has
    to be upgraded."""

    kind: str
    title: str
    words: Callable[[Payload], str] = lambda payload: ""
    upgrade: bool = False


def agent_names(numbers: Sequence[int]) -> str:
    """`agent-4`, `agent-4 to agent-6`, `agent-1 and agent-4`."""
    numbers = sorted(set(numbers))
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"agent-{numbers[0]} to agent-{numbers[-1]}"
    return join_names([f"agent-{number}" for number in numbers])


def _agents(payload: Payload) -> str:
    return f"{agent_names(payload['agents'])}."


def _late(payload: Payload) -> str:
    late = payload.get("late", 0)
    return f"{number_of(late, 'late answer')} dropped" if late else ""


def _silence(payload: Payload) -> str:
    again = payload.get("given_again", 0)
    what = [
        f"{number_of(again, 'request')} given out again" if again else "it had no request out",
        _late(payload),
    ]
    return (
        f"No word from {agent_names(payload['agents'])} for {payload['seconds']:.0f} s;"
        f" {', '.join(filter(None, what))}."
    )


def _return(payload: Payload) -> str:
    late = _late(payload)
    return f"{agent_names(payload['agents'])}{'; ' + late if late else ''}."


def _refusal(payload: Payload) -> str:
    return (
        f"Its {payload['what']} run {payload['version']} ({payload['code']}), the site has the"
        f" code {payload['site']}; an answer of another version could differ."
    )


def _crawl(words: str) -> Callable[[Payload], str]:
    return lambda payload: f"#{payload['crawl']} {words}"


KINDS: Mapping[str, MachineEventKind] = {
    kind.kind: kind
    for kind in (
        MachineEventKind("agents_joined", "Agents joined.", _agents),
        MachineEventKind("agents_left", "Agents left.", _agents),
        MachineEventKind("agent_silent", "Agent silent.", _silence),
        MachineEventKind("agent_back", "Agent answers again.", _return),
        MachineEventKind("agents_drained", "Drain", lambda payload: f"of {_agents(payload)}"),
        MachineEventKind("agents_resumed", "Resume", lambda payload: f"of {_agents(payload)}"),
        MachineEventKind("agents_forgotten", "Forgotten.", _agents),
        MachineEventKind(
            "workers_joined",
            "Workers joined.",
            lambda payload: f"{number_of(payload['room'], 'crawl')} at once.",
        ),
        MachineEventKind("workers_left", "Workers left."),
        MachineEventKind(
            "workers_silent",
            "Workers silent.",
            lambda payload: f"No word for {payload['seconds']:.0f} s.",
        ),
        MachineEventKind("workers_drained", "Drain", lambda payload: "of the workers."),
        MachineEventKind("workers_resumed", "Resume", lambda payload: "of the workers."),
        MachineEventKind("workers_forgotten", "Forgotten.", lambda payload: "Its workers."),
        MachineEventKind("refused", "Refused.", _refusal, upgrade=True),
        MachineEventKind(
            "worker_lost", "Worker died.", _crawl("waits for another, from its last commit.")
        ),
        MachineEventKind("taken_over", "Crawl taken over.", _crawl("goes on here.")),
    )
}


def write(kind: str, machine: str, by: User | None = None, **payload: Any) -> None:
    """Stores an event of now; the oldest beyond the newest 1,000 are deleted.

    `agents` of events at once become one event, and so does a refusal that is repeated. Nobody's
    work fails because an event cannot be stored; so it is no part of another transaction: that
    would be rolled back without an error if the connection is lost here.
    """
    assert kind in KINDS
    with suppress(DatabaseError), transaction.atomic():
        if _joins(kind, machine, by, payload):
            return
        made = MachineEvent.objects.create(
            kind=kind, machine=machine, payload=payload, by=by, at=timezone.now()
        )
        MachineEvent.objects.filter(pk__lte=made.pk - KEPT).delete()


def _joins(kind: str, machine: str, by: User | None, payload: dict[str, Any]) -> bool:
    """Whether the event became part of the newest."""
    last = MachineEvent.objects.order_by("-pk").first()
    if last is None or (last.kind, last.machine, last.by_id) != (kind, machine, by and by.pk):
        return False
    age = timezone.now() - last.at
    if last.payload == payload and age < REPEATED:
        MachineEvent.objects.filter(pk=last.pk).update(at=timezone.now())
        return True
    if set(payload) != {"agents"} or age > TOGETHER:
        return False
    agents = sorted({*last.payload["agents"], *payload["agents"]})
    MachineEvent.objects.filter(pk=last.pk).update(payload={"agents": agents})
    return True
