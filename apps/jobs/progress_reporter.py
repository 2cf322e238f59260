"""Reports of a job's progress while it works."""

from __future__ import annotations

import time
from typing import Any

from apps.jobs import queue
from apps.jobs.models import Job

REPORT_EVERY = 0.5
"""Seconds."""


class Withdrawn(Exception):
    """The job is no longer wanted: its person withdrew it, or another attempt has begun."""


class ProgressReporter:
    """Records the progress of a job in its row, at most every half second."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._reported_at = 0.0

    def __call__(self, *, at_once: bool = False, **progress: Any) -> bool:
        """Records the progress if half a second has passed or `at_once`; returns whether it did.
        Raises Withdrawn."""
        if not at_once and time.monotonic() - self._reported_at < REPORT_EVERY:
            return False
        self._reported_at = time.monotonic()
        if not queue.heartbeat(self._job, **progress):
            raise Withdrawn
        return True
