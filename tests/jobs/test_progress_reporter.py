"""Progress that a job tells from time to time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from apps.jobs import progress_reporter
from apps.jobs.progress_reporter import ProgressReporter, Withdrawn


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """What was told, on a clock that stands; `wanted` says whether the job still is."""
    reports = SimpleNamespace(message=[], at=100.0, wanted=True)

    def heartbeat(job: Any, **progress: Any) -> bool:
        reports.message.append(progress)
        return bool(reports.wanted)

    monkeypatch.setattr(progress_reporter.queue, "heartbeat", heartbeat)
    monkeypatch.setattr(progress_reporter.time, "monotonic", lambda: reports.at)
    return reports


def test_it_reports_at_once_and_then_every_half_second_or_when_it_must(reports) -> None:
    report = ProgressReporter(SimpleNamespace())
    assert [report(done=1), report(done=2), report(at_once=True, done=3)] == [True, False, True]
    reports.at += 0.6
    assert report(done=4)
    assert reports.message == [{"done": 1}, {"done": 3}, {"done": 4}]


def test_a_job_that_nobody_wants_ends(reports) -> None:
    reports.wanted = False
    with pytest.raises(Withdrawn):
        ProgressReporter(SimpleNamespace())(done=1)
