"""Months that have ended, without running any."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from apps.months.models import MonthRun
from apps.months.result import PolicyResult
from apps.months.schema import MonthDesign
from apps.months.services import begin_months

GOOD = PolicyResult(
    visits=30,
    requests=2000,
    share=0.06,
    born=200,
    seen=200,
    recall=0.99,
    freshness=0.95,
    changes=90,
    false=0,
    missed=0,
    gone=4,
    false_gone=0,
)


def ended_months(owner: User, **choices: Any) -> MonthRun:
    """Months of a small web by all policies, each as good as the other."""
    design = MonthDesign(**{"pages": 100, **choices})
    run, _ = begin_months(owner, design)
    run.results = {
        str(seed): {policy: GOOD.model_dump(mode="json") for policy in design.policies}
        for seed in design.seeds
    }
    run.job_state, run.ended_at = MonthRun.State.DONE, timezone.now()
    run.save()
    return run
