"""The background job that makes a study."""

from __future__ import annotations

import time

from apps.engine.errors import EngineError
from apps.experiments.models import PageStudy
from apps.experiments.results.outcomes import outcomes
from apps.experiments.studies.reading import StudyCancelled
from apps.experiments.studies.study import measure
from apps.jobs import queue

HEARTBEAT_SECONDS = 1.0


def measure_pages(row: PageStudy) -> None:
    """Measures the pages of a claimed study and stores the result."""
    watch = _Watch(row)
    try:
        study = measure(outcomes(row.experiment), watch.check)
    except StudyCancelled:
        return
    except EngineError as error:
        queue.fail(row, f"The pages cannot be read: {error}.")
        return
    queue.finish(row, data=study.as_plain())


class _Watch:
    """Sends heartbeats, and ends a study that is wanted no more."""

    def __init__(self, row: PageStudy) -> None:
        self._row = row
        self._last = 0.0

    def check(self) -> None:
        """Raises NotWanted."""
        now = time.monotonic()
        if now >= self._last + HEARTBEAT_SECONDS:
            self._last = now
            if not queue.heartbeat(self._row):
                raise StudyCancelled
