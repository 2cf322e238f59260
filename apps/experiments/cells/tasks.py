"""The background job that runs a cell."""

from __future__ import annotations

import errno
import logging
import time
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F

from apps.engine.errors import EngineError, NeedsMissing
from apps.engine.events import Batch
from apps.experiments.cells import result
from apps.experiments.cells.assembly import TopicGone, assemble
from apps.experiments.cells.queueing import fill
from apps.experiments.cells.running import CellRun, Ended
from apps.experiments.events import note
from apps.experiments.folder import kept_path, record_folder, result_path
from apps.experiments.models import Cell, Experiment
from apps.jobs import queue
from apps.jobs.site import is_stopping
from apps.jobs.tasks import UNEXPECTED
from apps.stored_files.files import keep

log = logging.getLogger("crawlsite.experiments")
HEARTBEAT_SECONDS = 0.5
HAND_ON_SECONDS = 60.0
MOST_STARTS = 3
LOST = "worker_lost"


def run_cell(cell: Cell) -> None:
    """Runs a claimed cell to its end, or leaves it if it is wanted no more or others wait."""
    experiment = cell.experiment
    if experiment.state != Experiment.State.RUNNING:
        queue.give_back(cell)
        return
    if cell.starts >= MOST_STARTS:
        _fail(cell, LOST, f"Its worker was lost {MOST_STARTS} times, perhaps for lack of memory.")
    else:
        Cell.objects.filter(pk=cell.pk).update(starts=F("starts") + 1)
        _run(cell)
    fill(experiment)


def _run(cell: Cell) -> None:
    try:
        ended = _run_here(cell)
    except CellCancelled:
        _give_back(cell)
    except TopicGone:
        _fail(cell, "topic_gone", "The topic has been deleted.")
    except NeedsMissing as error:
        _fail(cell, f"needs_{error.need}", f"The strategy {error}.")
    except EngineError as error:
        log.exception("cell %s", cell.pk)
        _fail(cell, error.code, f"{error}.")
    except Exception as error:
        log.exception("cell %s", cell.pk)
        full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
        _fail(
            cell,
            "disk_full" if full else type(error).__name__,
            "The disk is full: free some space, then try again." if full else UNEXPECTED,
        )
    else:
        _settle(cell, ended)


class CellCancelled(Exception):
    """The cell was to be left before its crawl had begun."""


def _run_here(cell: Cell) -> Ended:
    watch, kept = _CellWatch(cell), kept_path(cell)
    try:
        ended = CellRun(assemble(cell, watch.while_prepared), kept, watch.goes_on).run()
    finally:
        if (record := record_folder(cell.experiment_id)).is_dir():
            keep(record)
    if ended.reason is not None:
        result.write(result_path(cell), ended.result)
        keep(result_path(cell))
        kept.unlink(missing_ok=True)
    return ended


class _CellWatch:
    """Reports a cell's progress twice a second, and returns whether it goes on."""

    def __init__(self, cell: Cell) -> None:
        self._cell = cell
        self._begun = self._last = time.monotonic()

    def while_prepared(self) -> None:
        """Called for each page of a web that is prepared. Raises NotWanted."""
        if not self._is_wanted(self._cell.pages):
            raise CellCancelled

    def goes_on(self, batch: Batch) -> bool:
        """Whether the crawl is to go on after this batch."""
        return self._is_wanted(batch.totals.pages)

    def _is_wanted(self, pages: int) -> bool:
        now = time.monotonic()
        if now < self._last + HEARTBEAT_SECONDS:
            return True
        self._last = now
        wanted = queue.heartbeat(self._cell, pages=pages)
        state = Experiment.objects.values_list("state", flat=True).get(pk=self._cell.experiment_id)
        long_enough = now > self._begun + HAND_ON_SECONDS
        others = long_enough and queue.waiting_since() is not None
        return bool(
            wanted
            and state == Experiment.State.RUNNING
            and not others
            and not is_stopping(settings.DATA_DIR)
        )


def _settle(cell: Cell, ended: Ended) -> None:
    """Writes how a run ended."""
    spent: dict[str, Any] = {
        "seconds": F("seconds") + ended.seconds,
        "cpu_seconds": F("cpu_seconds") + ended.cpu_seconds,
        "pages": len(ended.result.pages),
        "requests": ended.requests,
        "metrics": ended.metrics,
    }
    if ended.reason is not None:
        queue.finish(cell, reason=str(ended.reason), digest=ended.result.digest(), **spent)
        return
    _give_back(cell, **spent)


def _give_back(cell: Cell, **spent: Any) -> None:
    """Leaves the cell to the next worker, or until the experiment goes on."""
    with transaction.atomic():
        if queue.give_back(cell, starts=F("starts") - 1, **spent) and _still_running(cell):
            queue.enqueue(cell)


def _still_running(cell: Cell) -> bool:
    return Experiment.objects.filter(pk=cell.experiment_id, state=Experiment.State.RUNNING).exists()


def _fail(cell: Cell, reason: str, problem: str) -> None:
    with transaction.atomic():
        if queue.fail(cell, problem, reason=reason[:40]):
            note(cell.experiment, "cell_failed", f"{cell} failed. {problem}")
