"""The background job of months: it runs one after the other and stores each result."""

from __future__ import annotations

from django.utils import timezone

from apps.jobs import queue
from apps.jobs.progress_reporter import Withdrawn
from apps.jobs.regular_heartbeats import regular_heartbeats
from apps.months.models import MonthRun
from apps.months.policies import BrokenMonth, PolicyRun
from apps.months.selectors import missing


def run_months(run: MonthRun) -> None:
    """Runs each month that has not ended."""
    try:
        with regular_heartbeats(run):
            for seed, month in list(missing(run)):
                _run_month(run, seed, month)
    except Withdrawn:
        return
    except BrokenMonth as broken:
        queue.fail(run, f"{broken} The site’s log has the details; what has ended is here.")
        return
    queue.finish(run, ended_at=timezone.now())


def _run_month(run: MonthRun, seed: int, month: PolicyRun) -> None:
    """Runs one and records its result. Raises Withdrawn, BrokenMonth."""

    def report(visits: int) -> None:
        if not queue.heartbeat(run, visits=visits):
            raise Withdrawn

    report(0)
    result = month.run_apart(report)
    of_seed = run.results.get(str(seed), {}) | {month.policy: result.model_dump(mode="json")}
    run.results = run.results | {str(seed): of_seed}
    if not queue.heartbeat(run, visits=0, results=run.results):
        raise Withdrawn
