"""The silence of agents and workers is told once, with what became of their requests."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.engine.agents.broker import AgentHeartbeat
from apps.machines import registry, watch, workers
from apps.machines.models import MachineEvent, Workers
from apps.machines.registry import AgentRecord

pytestmark = pytest.mark.django_db
WORD = AgentHeartbeat(machine="levante", number=7)


@pytest.fixture
def reports(settings, monkeypatch) -> set[str]:
    """The agents whose silence Redis has as told."""
    names: set[str] = set()
    settings.REDIS_URL = "redis://db.test"

    def silent(name: str) -> bool:
        new = name not in names
        names.add(name)
        return new

    def back(name: str) -> bool:
        listed = name in names
        names.discard(name)
        return listed

    monkeypatch.setattr(registry, "claim_silence_event", silent)
    monkeypatch.setattr(registry, "claim_return_event", back)
    return names


def test_a_silent_agent_and_its_return_are_reported_once(reports, monkeypatch) -> None:
    def see(state: str, age: float, **counts: int) -> None:
        agent = AgentRecord("c", WORD, age, state, silence_reported="c" in reports, **counts)
        monkeypatch.setattr(registry, "agents", lambda: [agent])
        watch.watch()

    see("silent", 8.0, given_again=9)  # requests are still being given out again
    for age in (14.0, 19.0):
        see("silent", age, given_again=14)
    for _ in range(2):
        see("running", 0.3, late=2)
    see("running", 0.3)
    back, silent = MachineEvent.objects.all()
    assert (silent.kind, silent.machine) == ("agent_silent", "levante")
    assert silent.payload == {"agents": [7], "late": 0, "seconds": 14, "given_again": 14}
    assert (back.kind, back.payload) == ("agent_back", {"agents": [7], "late": 2})


def test_silent_workers_are_reported_once_and_again_after_their_return(settings) -> None:
    settings.REDIS_URL = ""
    workers.join()
    watch.watch()
    for _ in range(2):
        Workers.objects.update(alive_at=timezone.now() - timedelta(seconds=20))
        watch.watch()
        watch.watch()
        workers.report_alive()
    kinds = [event.kind for event in MachineEvent.objects.all()]
    # The second silence lasted as long as the first, within an hour.
    assert kinds == ["workers_silent", "workers_joined"]
    workers.leave()
    assert MachineEvent.objects.first().kind == "workers_left"
