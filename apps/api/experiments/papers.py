"""The papers' protocols, repeated on a web."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status
from pydantic import Field

from apps.accounts.requests import SignedInRequest
from apps.api.paging import ListPage, PagingQuery, paged
from apps.api.refusals import Refusal
from apps.experiments.selectors import web_named
from apps.papers.catalogue import protocols
from apps.papers.models import PaperRun
from apps.papers.services import MOST, design_on, repeat, repeat_all, visible_runs
from apps.papers.setting_up import Sizes

router = Router(tags=["papers"])


class ClaimOut(Schema):
    """A paper's claim: its sentence, its place and its published figure; `cannot` is why it cannot
    be tested, or empty."""

    id: str
    sentence: str
    where: str
    published: str
    cannot: str


class ProtocolOut(Schema):
    """A table or group of figures of a paper that can be repeated; `is_table` where it is computed
    over a whole web, without topics."""

    id: str
    paper: str
    title: str
    where: str
    method: str
    is_table: bool
    claims: list[ClaimOut]


class RunOut(Schema):
    """A run. `state` is running, failed or ended; `experiment` is null for a table, and before the
    topics are made. `result` has means and a finding for each comparison of a claim, `text` a table
    with all its figures as lines; they are null until the run has ended, `text` also for an
    experiment."""

    run: int
    protocol: str
    web: str
    topics: int | None
    pages: int | None
    state: str
    step: str
    problem: str | None
    experiment: int | None
    result: dict[str, Any] | None
    text: str | None
    created_at: str
    ended_at: str | None


class RunPage(ListPage):
    items: list[RunOut]


class RunRequest(Schema):
    """A web by its name, and other sizes than the protocol's."""

    web: str = Field(max_length=200)
    topics: int | None = Field(None, ge=1, le=MOST, description="The most topics.")
    pages: int | None = Field(None, ge=1, le=MOST, description="The most pages of a crawl.")


@router.get("", response=list[ProtocolOut], summary="List the papers’ protocols")
def list_protocols(request: SignedInRequest) -> Any:
    """Each protocol with its claims."""
    return [
        {
            "id": id,
            **protocol.model_dump(include={"paper", "title", "where", "method"}),
            "is_table": protocol.table is not None,
            "claims": [claim.model_dump() for claim in protocol.claims],
        }
        for id, protocol in protocols().items()
    ]


@router.get("/runs", response={200: RunPage, 422: Refusal}, summary="List your runs")
def list_runs(request: SignedInRequest, paging: PagingQuery) -> Any:
    """Your runs of protocols, newest first."""
    return paged(visible_runs(request.user), paging, _run_out)


@router.get("/runs/{int:run_id}", response={200: RunOut, 404: Refusal}, summary="Show a run")
def show_run(request: SignedInRequest, run_id: int) -> Any:
    """The state of a run and, once it has ended, its means and verdicts."""
    return _run_out(get_object_or_404(visible_runs(request.user), pk=run_id))


@router.post(
    "/{protocol_id}/runs",
    response={200: RunOut, 201: RunOut, 422: Refusal},
    summary="Repeat a protocol",
)
def repeat_protocol(request: SignedInRequest, protocol_id: str, wanted: RunRequest) -> Any:
    """Begins the protocol on a web in the background (201). The same protocol, web and sizes are
    one run: a second call shows it (200), and begins it again only if it failed."""
    web = web_named(request.user, wanted.web)
    sizes = Sizes(topics=wanted.topics, pages=wanted.pages)
    run, begins = repeat(request.user, protocol_id, web, sizes)
    return Status(201 if begins else 200, _run_out(run))


@router.post(
    "/all/{paper}/runs",
    response={200: list[RunOut], 201: list[RunOut], 422: Refusal},
    summary="Repeat all protocols of a paper",
)
def repeat_paper(request: SignedInRequest, paper: str, wanted: RunRequest) -> Any:
    """Begins each protocol of a paper (LC, AFC, SLC, HCLA or SL) for which the web has what it
    needs; 200 if all of them had been begun before."""
    web = web_named(request.user, wanted.web)
    sizes = Sizes(topics=wanted.topics, pages=wanted.pages)
    runs = repeat_all(request.user, paper, web, sizes)
    return Status(201 if any(begins for _, begins in runs) else 200, [_run_out(r) for r, _ in runs])


@router.get(
    "/{protocol_id}/design",
    response={200: dict[str, Any], 422: Refusal},
    summary="Show a protocol as the design of an experiment",
)
def show_design(request: SignedInRequest, protocol_id: str, wanted: Query[RunRequest]) -> Any:
    """A design that `POST experiments` takes, once it has topics: the verdicts of your run on the
    web with these sizes, if there is one."""
    web = web_named(request.user, wanted.web)
    sizes = Sizes(topics=wanted.topics, pages=wanted.pages)
    return design_on(request.user, protocol_id, web, sizes).model_dump(mode="json")


def _run_out(run: PaperRun) -> dict[str, Any]:
    failed = run.job_state == PaperRun.State.FAILED
    return {
        "run": run.pk,
        "protocol": run.protocol,
        "web": run.web.name,
        "topics": run.topics or None,
        "pages": run.pages or None,
        "state": "failed" if failed else "ended" if run.ended_at else "running",
        "step": run.step,
        "problem": run.job_problem or None,
        "experiment": run.experiment_id,
        "result": run.result or None,
        "text": run.text or None,
        "created_at": run.created_at.isoformat(),
        "ended_at": run.ended_at.isoformat() if run.ended_at else None,
    }
