"""Events of machines: in words, stored once, and only the newest."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.machines import events
from apps.machines.models import MachineEvent

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("kind", "payload", "words"),
    [
        ("agents_joined", {"agents": [6, 4, 5]}, "agent-4 to agent-6."),
        ("agents_left", {"agents": [1, 4]}, "agent-1 and agent-4."),
        (
            "agent_silent",
            {"agents": [7], "seconds": 13.2, "given_again": 14, "late": 2},
            "No word from agent-7 for 13 s; 14 requests given out again, 2 late answers dropped.",
        ),
        (
            "agent_silent",
            {"agents": [7], "seconds": 13.2},
            "No word from agent-7 for 13 s; it had no request out.",
        ),
        ("agent_back", {"agents": [7], "late": 1}, "agent-7; 1 late answer dropped."),
        ("agents_drained", {"agents": [6]}, "of agent-6."),
        ("worker_lost", {"crawl": 15}, "#15 waits for another, from its last commit."),
    ],
)
def test_an_event_is_reported_with_its_numbers(kind, payload, words) -> None:
    assert events.KINDS[kind].words(payload) == words


def test_agents_of_one_moment_are_one_event_and_a_repeated_refusal_too() -> None:
    for number in (2, 1):
        events.write("agents_joined", "bora", agents=[number])
    events.write("agents_joined", "mistral", agents=[1])
    refused = {"what": "agents", "version": "1.5.2", "code": "a", "site": "b"}
    for _ in range(3):
        events.write("refused", "levante", **refused)
    assert [(e.kind, e.machine, e.payload) for e in MachineEvent.objects.all()] == [
        ("refused", "levante", refused),
        ("agents_joined", "mistral", {"agents": [1]}),
        ("agents_joined", "bora", {"agents": [1, 2]}),
    ]
    MachineEvent.objects.update(at=timezone.now() - timedelta(hours=2))
    events.write("refused", "levante", **refused)
    assert MachineEvent.objects.count() == 4


def test_the_newest_are_kept(monkeypatch) -> None:
    monkeypatch.setattr(events, "KEPT", 3)
    for crawl in range(6):
        events.write("worker_lost", "bora", crawl=crawl)
    assert [e.payload["crawl"] for e in MachineEvent.objects.all()] == [5, 4, 3]
