"""A month of a watch by each policy, in a process on a data folder of its own."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from pydantic import TypeAdapter

from apps.accounts.services import account_named
from apps.jobs.tables import make_tables
from apps.months.changing_web import DAY, ChangingWeb, WebScript
from apps.months.month import Month, MonthResult
from apps.months.result import PolicyResult
from apps.months.serving import serve
from apps.watches.models import WatchVisit
from apps.watches.visits import planning

FOLDERS = "crawlsite-month-"
"""How the names of the data folders of months begin."""
FULL_BUDGET = 20
"""The budget of a full recrawl, in requests for each page there is at the start."""
POLICIES: Mapping[str, planning.Policy] = {
    "adaptive": planning.estimate,
    "without dates": planning.estimate_undated,
    "uniform": planning.uniform,
    "proportional": planning.proportional,
    "full recrawl": planning.uniform,
}
OnVisit = Callable[[int], object]
"""Told how many visits there were so far."""


class BrokenMonth(Exception):
    """The process of a month has ended without a result."""


@dataclass(frozen=True, slots=True)
class PolicyRun:
    """A month by one policy: the web, and the most requests of a visit."""

    policy: str
    script: WebScript
    requests: int

    @property
    def budget(self) -> int:
        """The most requests of a visit, of which a full recrawl has as many as it needs."""
        return FULL_BUDGET * self.script.pages if self.policy == "full recrawl" else self.requests

    def run_here(self, folder: Path, on_visit: OnVisit) -> MonthResult:
        """Runs it with the rows of this process; what it imports is written into `folder`."""
        # In the past, so that no simulated date of a sitemap is one that cannot be yet.
        web = ChangingWeb(self.script, datetime.now(UTC) - self.script.days * DAY)
        with serve(web) as port:
            month = Month(web, port, account_named(None), folder)
            watch = month.watch(self.budget)

            def report(visit: WatchVisit) -> None:
                on_visit(visit.number)

            return month.run(watch, self.policy, POLICIES[self.policy], report)

    def run_apart(self, on_visit: OnVisit = lambda visits: None) -> PolicyResult:
        """Runs it in a process with a data folder of its own, which is deleted. An exception of
        `on_visit` ends it. Raises BrokenMonth."""
        with tempfile.TemporaryDirectory(prefix=FOLDERS) as folder:
            line = [*settings.COMMAND_LINE, "simulate_month", RUN.dump_json(self).decode()]
            # The process ends with its standard input: with this process, even if it is killed.
            with subprocess.Popen(
                line,
                env=_apart(os.environ, folder),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            ) as process:
                assert process.stdout is not None
                try:
                    result = _follow(process.stdout, on_visit)
                except BaseException:
                    process.kill()
                    raise
        if result is None:
            raise BrokenMonth(f"{self.policy}: the month ended with {process.returncode}.")
        return result


RUN = TypeAdapter(PolicyRun)


def run_alone(run: PolicyRun, on_visit: OnVisit) -> PolicyResult:
    """The figures of a month on this process's data folder, which is empty."""
    make_tables()
    return PolicyResult.of(run.run_here(settings.DATA_DIR, on_visit))


def _apart(environment: Mapping[str, str], folder: str) -> dict[str, str]:
    """The environment of a process that has nothing of this site: no rows, no queue, no bucket."""
    others = {name: text for name, text in environment.items() if not name.startswith("CRAWLSITE_")}
    return others | {"CRAWLSITE_DATA": folder, "DATABASE_URL": "", "REDIS_URL": ""}


def _follow(lines: Iterable[str], on_visit: OnVisit) -> PolicyResult | None:
    """The result, which is the last line; each line before it is a number of visits."""
    for line in lines:
        if not line.strip().isdigit():
            return PolicyResult.model_validate_json(line)
        on_visit(int(line))
    return None
