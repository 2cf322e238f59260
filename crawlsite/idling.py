"""Memory that a worker's last task took is given back when nothing follows: the worker ends.

What many pages or a training took, Python keeps for the next task; in a worker that waits it would
be kept for nobody.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from queue import Empty
from typing import Any

LARGE = 300 * 2**20
"""Bytes in memory; a worker that has trained classifiers needs less."""
IDLE_SECONDS = 10.0
TURN_SECONDS = 0.01
"""How long a worker pauses between two waits. Only one of them waits at the queue and the others
for its turn: without a pause it would mostly take the next turn too, and a large one stay.
"""
STOP = "STOP"
RECYCLED = -2
"""What django-q2 reads as the end of a worker, in the queue and in the worker's timer."""


class WaitingWhileSmall:
    """The tasks of a worker: an endless queue, but `STOP` comes out if none is there for some
    seconds while the process is large."""

    def __init__(self, tasks: Any, timer: Any) -> None:
        self._tasks = tasks
        self._timer = timer

    def get(self) -> Any:
        """The next task, or `STOP`."""
        while True:
            try:
                return self._tasks.get(timeout=IDLE_SECONDS)
            except Empty:
                if resident_bytes() > LARGE:
                    self._timer.value = RECYCLED
                    return STOP
                time.sleep(TURN_SECONDS)


def resident_bytes() -> int:
    """Bytes of this process in memory, with what is free and not given back."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
