"""A month of a watch by each policy, each on a site of its own, and their figures side by side."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

from apps.accounts.services import account_named
from apps.jobs.tables import make_tables
from apps.research.watching.changing_web import DAY, ChangingWeb, WebScript
from apps.research.watching.month import Month, MonthResult
from apps.research.watching.results import PolicyResult
from apps.research.watching.serving import serve
from apps.watches import planning
from apps.watches.models import Watch, WatchVisit

FULL_BUDGET = 20
"""The budget of a full recrawl, in requests for each page there is at the start."""
POLICIES: Mapping[str, planning.Policy] = {
    "adaptive": planning.estimate,
    "without dates": planning.estimate_undated,
    "uniform": planning.uniform,
    "proportional": planning.proportional,
    "full recrawl": planning.uniform,
}


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

    def run_here(self, folder: Path) -> tuple[MonthResult, Watch]:
        """Runs it with the rows of this process."""
        # In the past, so that no simulated date of a sitemap is one that cannot be yet.
        web = ChangingWeb(self.script, datetime.now(UTC) - self.script.days * DAY)
        with serve(web) as port:
            month = Month(web, port, account_named(None), folder)
            watch = month.watch(self.budget)
            return month.run(watch, self.policy, POLICIES[self.policy], _report), watch

    def run_apart(self, words: Sequence[str]) -> PolicyResult:
        """Runs it in a process with a data folder of its own, by the command's `words`. Raises
        subprocess.CalledProcessError."""
        with tempfile.TemporaryDirectory() as folder:
            line = [*settings.COMMAND_LINE, "watching", *words, "--alone", self.policy]
            alone = {"CRAWLSITE_DATA": folder, "DATABASE_URL": "", "REDIS_URL": ""}
            done = subprocess.run(
                line, env=os.environ | alone, stdout=subprocess.PIPE, check=True, text=True
            )
        return PolicyResult.model_validate_json(done.stdout.splitlines()[-1])


def run_alone(run: PolicyRun) -> PolicyResult:
    """The figures of a month on this process's data folder, which is empty."""
    make_tables()
    with tempfile.TemporaryDirectory() as folder:
        result, _ = run.run_here(Path(folder))
    return PolicyResult.of(result)


def _report(visit: WatchVisit) -> None:
    """Visits are shown when all are done."""
