"""Progress that a job tells from time to time while it works."""

from __future__ import annotations

import time
from typing import Any

from apps.jobs import queue
from apps.jobs.models import Job

TOLD_EVERY = 0.5


class Withdrawn(Exception):
    """The job is no longer wanted: its person withdrew it, or another attempt has begun."""


class Telling:
    """Records the progress of a job in its row, at most every half second."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._told = 0.0

    def __call__(self, *, at_once: bool = False, **progress: Any) -> bool:
        """Whether it was time to tell, which it always is `at_once`. Raises Withdrawn."""
        if not at_once and time.monotonic() - self._told < TOLD_EVERY:
            return False
        self._told = time.monotonic()
        if not queue.heartbeat(self._job, **progress):
            raise Withdrawn
        return True
