"""Months that have been begun, and how far they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean

from django.contrib.auth.models import User
from django.db.models import QuerySet

from apps.engine.evaluation.significance import mean_of_defined
from apps.months.models import MonthRun
from apps.months.policies import PolicyRun
from apps.months.result import PolicyResult
from apps.months.schema import MonthDesign


def state_of(run: MonthRun) -> str:
    """Failed, waiting, running or ended."""
    if run.job_state == MonthRun.State.FAILED:
        return "failed"
    if run.is_waiting:
        return "waiting"
    return "running" if run.is_under_way else "ended"


def own_months(user: User) -> QuerySet[MonthRun]:
    """A person's runs, newest first."""
    return MonthRun.objects.filter(owner=user)


@dataclass(frozen=True, slots=True)
class MonthProgress:
    """How many months there are and have ended; `seed`, `policy` and `visits` are of the one under
    way, None and empty when all have ended. `share` is how much of all is done."""

    months: int
    ended: int
    seed: int | None
    policy: str
    visits: int
    share: float


def progress(run: MonthRun) -> MonthProgress:
    """How far a run is."""
    design = MonthDesign.read(run.design)
    months = list(design.runs())
    left = list(missing(run))
    ended = len(months) - len(left)
    seed, policy = (left[0][0], left[0][1].policy) if left else (None, "")
    visits = run.visits if left else 0
    share = (ended + visits / (design.days + 1)) / len(months)
    return MonthProgress(len(months), ended, seed, policy, visits, share)


def missing(run: MonthRun) -> Iterator[tuple[int, PolicyRun]]:
    """The months of a run that have not ended, in their order."""
    for seed, each in MonthDesign.read(run.design).runs():
        if each.policy not in run.results.get(str(seed), {}):
            yield seed, each


@dataclass(frozen=True, slots=True)
class PolicyMeans:
    """A policy over the `seeds` that have ended: means of what a `PolicyResult` has, and its counts
    in sum. `recall` is None where no new relevant page was born, `freshness` where there was none
    at the start."""

    policy: str
    seeds: int
    recall: float | None
    share: float
    freshness: float | None
    requests: int
    born: int
    seen: int
    changes: int
    false: int
    missed: int
    gone: int
    false_gone: int


def policy_means(run: MonthRun) -> list[PolicyMeans]:
    """The policies of which a month has ended, in the order of the design."""
    by_policy = {
        policy: [
            PolicyResult.read(results[policy])
            for results in run.results.values()
            if policy in results
        ]
        for policy in MonthDesign.read(run.design).policies
    }
    return [_means(policy, results) for policy, results in by_policy.items() if results]


def _means(policy: str, results: list[PolicyResult]) -> PolicyMeans:
    return PolicyMeans(
        policy,
        len(results),
        recall=mean_of_defined(each.recall for each in results).mean,
        share=fmean(each.share for each in results),
        freshness=mean_of_defined(each.freshness for each in results).mean,
        requests=sum(each.requests for each in results),
        born=sum(each.born for each in results),
        seen=sum(each.seen for each in results),
        changes=sum(each.changes for each in results),
        false=sum(each.false for each in results),
        missed=sum(each.missed for each in results),
        gone=sum(each.gone for each in results),
        false_gone=sum(each.false_gone for each in results),
    )
