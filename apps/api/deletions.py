"""Deletions in the background: their progress, and trying one again that failed."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from ninja import Router, Schema, Status

from apps.accounts.requests import SignedInRequest
from apps.api.paging import ListPage, PagingQuery, paged
from apps.api.refusals import Refusal
from apps.jobs.deletion import own_deletions, try_again
from apps.jobs.models import Deletion

router = Router(tags=["deletions"])


class DeletionOut(Schema):
    """A row that is hidden and being deleted with what is below it. `kind` is crawl, topic,
    experiment, web, background or directory, `row` its id; `state` is waiting, working or failed;
    then `problem` says why. `rows` are deleted so far. Once all are deleted it is gone."""

    id: int
    kind: str
    row: int
    name: str
    rows: int
    state: str
    problem: str


class DeletionsOut(ListPage):
    """A list of deletions."""

    items: list[DeletionOut]


@router.get("", response=DeletionsOut, summary="List your deletions under way")
def list_deletions(request: SignedInRequest, paging: PagingQuery) -> Any:
    """The oldest first."""
    return paged(own_deletions(request.user), paging, _out)


@router.post(
    "/{int:deletion_id}/again",
    response={202: DeletionOut, 404: Refusal},
    summary="Try a deletion again",
)
def again(request: SignedInRequest, deletion_id: int) -> Any:
    """Queues one that failed; one under way is left alone."""
    job = get_object_or_404(own_deletions(request.user), pk=deletion_id)
    try_again(job)
    return Status(202, _out(job))


def _out(job: Deletion) -> DeletionOut:
    return DeletionOut(
        id=job.pk,
        kind=job.kind.model,
        row=job.key,
        name=job.name,
        rows=job.rows,
        state=job.job_state,
        problem=job.job_problem,
    )
