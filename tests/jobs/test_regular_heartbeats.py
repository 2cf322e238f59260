from __future__ import annotations

import threading

import pytest

from apps.jobs import queue, regular_heartbeats
from apps.jobs.models import Deletion, Job


def test_a_job_that_computes_for_long_has_heartbeats_until_it_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    beats, job = threading.Semaphore(0), Deletion()

    def beat(which: Job) -> bool:
        assert which is job
        beats.release()
        return True

    monkeypatch.setattr(regular_heartbeats, "BEAT_EVERY", 0.001)
    monkeypatch.setattr(queue, "heartbeat", beat)
    before = threading.active_count()
    with regular_heartbeats.regular_heartbeats(job):
        assert all(beats.acquire(timeout=60) for _ in range(3))
    assert threading.active_count() == before
