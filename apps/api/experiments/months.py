"""Months of a watch by each policy, simulated in the background."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from ninja import Router, Schema, Status

from apps.accounts.requests import SignedInRequest
from apps.api.paging import ListPage, PagingQuery, paged
from apps.api.refusals import Refusal
from apps.months.models import MonthRun
from apps.months.result import PolicyResult
from apps.months.schema import MonthDesign
from apps.months.selectors import PolicyMeans, own_months, policy_means, progress, state_of
from apps.months.services import begin_months, delete_months

router = Router(tags=["months"])


class MonthProgressOut(Schema):
    """How many months have ended, of how many; of the one under way its seed, its policy and how
    many visits it has had, null and empty if all have ended. `share` of all is done."""

    months: int
    ended: int
    seed: int | None
    policy: str
    visits: int
    share: float


class MonthsOut(Schema):
    """Months of a watch. `state` is waiting, running, failed or ended. `means` has each policy over
    the seeds that have ended: shares as means, counts as sums; `results` is by seed and policy."""

    month: int
    design: MonthDesign
    state: str
    problem: str | None
    progress: MonthProgressOut
    means: list[PolicyMeans]
    results: dict[str, dict[str, PolicyResult]]
    created_at: str
    ended_at: str | None


class MonthsPage(ListPage):
    items: list[MonthsOut]


@router.get("", response={200: MonthsPage, 422: Refusal}, summary="List your months")
def list_months(request: SignedInRequest, paging: PagingQuery) -> Any:
    """Your simulated months of a watch, newest first."""
    return paged(own_months(request.user), paging, _month_out)


@router.post("", response={200: MonthsOut, 201: MonthsOut, 422: Refusal}, summary="Simulate months")
def begin(request: SignedInRequest, design: MonthDesign) -> Any:
    """Begins months in the background (201): a made web that changes for each seed, watched by each
    policy on a data folder of its own. The same design is one run: a second call shows it (200),
    and goes on with it if it failed."""
    run, begins = begin_months(request.user, design)
    return Status(201 if begins else 200, _month_out(run))


@router.get("/{int:month_id}", response={200: MonthsOut, 404: Refusal}, summary="Show months")
def show_months(request: SignedInRequest, month_id: int) -> Any:
    """How far they are, and the figures of what has ended."""
    return _month_out(get_object_or_404(own_months(request.user), pk=month_id))


@router.delete("/{int:month_id}", response={204: None, 404: Refusal}, summary="Delete months")
def delete(request: SignedInRequest, month_id: int) -> Any:
    """Deletes them with their figures; a month under way ends after its visit."""
    delete_months(get_object_or_404(own_months(request.user), pk=month_id))
    return Status(204, None)


def _month_out(run: MonthRun) -> dict[str, Any]:
    return {
        "month": run.pk,
        "design": run.design,
        "state": state_of(run),
        "problem": run.job_problem or None,
        "progress": progress(run),
        "means": policy_means(run),
        "results": run.results,
        "created_at": run.created_at.isoformat(),
        "ended_at": run.ended_at.isoformat() if run.ended_at else None,
    }
