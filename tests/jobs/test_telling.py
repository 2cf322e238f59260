"""Progress that a job tells from time to time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from apps.jobs import telling
from apps.jobs.telling import Telling, Withdrawn


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """What was told, on a clock that stands; `wanted` says whether the job still is."""
    found = SimpleNamespace(said=[], at=100.0, wanted=True)

    def heartbeat(job: Any, **progress: Any) -> bool:
        found.said.append(progress)
        return bool(found.wanted)

    monkeypatch.setattr(telling.queue, "heartbeat", heartbeat)
    monkeypatch.setattr(telling.time, "monotonic", lambda: found.at)
    return found


def test_it_tells_at_once_and_then_every_half_second_or_when_it_must(told) -> None:
    tell = Telling(SimpleNamespace())
    assert [tell(done=1), tell(done=2), tell(at_once=True, done=3)] == [True, False, True]
    told.at += 0.6
    assert tell(done=4)
    assert told.said == [{"done": 1}, {"done": 3}, {"done": 4}]


def test_a_job_that_nobody_wants_ends(told) -> None:
    told.wanted = False
    with pytest.raises(Withdrawn):
        Telling(SimpleNamespace())(done=1)
