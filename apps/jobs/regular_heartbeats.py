"""Heartbeats of a job that may compute for long without any progress to record."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from apps.jobs import queue
from apps.jobs.models import Job

BEAT_EVERY = 30
"""Seconds."""


@contextmanager
def regular_heartbeats(job: Job) -> Iterator[None]:
    """Records every half minute that the job is alive."""
    over = threading.Event()

    def beat() -> None:
        try:
            while not over.wait(BEAT_EVERY):
                queue.heartbeat(job)
        finally:
            connection.close()

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
