"""The catalogue: strategies and measures."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from ninja import Router, Schema

from apps.accounts.requests import SignedInRequest
from apps.api.refusals import Refusal
from apps.engine.evaluation import MEASURES
from apps.engine.intelligence.strategies import describe

router = Router(tags=["strategies"])


class ParameterOut(Schema):
    """A parameter; `kind` is int, float, bool or choice, `symbol` the paper's letter."""

    name: str
    kind: str
    default: Any
    effect: str
    symbol: str
    low: float | None
    high: float | None
    choices: list[str]


class StrategyOut(Schema):
    """A strategy: what gives the priority, when to choose it, what the topic needs."""

    id: str
    title: str
    paper: str
    section: str
    summary: str
    advice: str
    needs: list[str]
    scores: str
    parameters: list[ParameterOut]


class MeasureOut(Schema):
    """A measure; `unit` is share (0–1), score (0–1), count or log."""

    id: str
    title: str
    unit: str
    paper: str
    summary: str


@router.get("/strategies", response=list[StrategyOut], summary="List strategies")
def list_strategies(request: SignedInRequest) -> Any:
    """Every strategy, in the order of the form."""
    return describe()


@router.get(
    "/strategies/{strategy_id}",
    response={200: StrategyOut, 404: Refusal},
    summary="Show a strategy",
)
def show_strategy(request: SignedInRequest, strategy_id: str) -> Any:
    """One strategy with its parameters."""
    for entry in describe():
        if entry["id"] == strategy_id:
            return entry
    raise Http404


@router.get("/measures", response=list[MeasureOut], summary="List measures")
def list_measures(request: SignedInRequest) -> Any:
    """The measures of a running crawl."""
    return [
        {
            "id": m.id,
            "title": m.title,
            "unit": m.unit,
            "paper": m.paper,
            "summary": (m.__doc__ or "").strip().split("\n", 1)[0],
        }
        for m in MEASURES
    ]
