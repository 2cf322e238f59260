"""The context of a form's templates: topics, rows of strategies, rail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import JsonResponse
from django.template.loader import render_to_string

from apps.accounts.requests import SignedInRequest
from apps.engine.frontier.parents import POLICIES
from apps.engine.intelligence.strategies import CATALOGUE
from apps.engine.intelligence.strategies.base import Strategy
from apps.experiments.selectors import cpu_a_page
from apps.figures.quantities import NOTHING
from apps.screens.new_experiment.forms import NewExperimentForm
from apps.screens.new_experiment.needs import Lacking, NeedsOf, lack_words, needs_of
from apps.screens.new_experiment.strategy_rows import StrategyRow
from apps.screens.new_experiment.summary import summary

PARTS = ("topics", "strategies", "rail")


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row of strategies as it is drawn; `cost` is CPU a page against the baseline's."""

    row: StrategyRow
    needs: NeedsOf
    cost: str
    is_baseline: bool


@dataclass(frozen=True, slots=True)
class OfferedStrategy:
    """A strategy that may be added; `lack` is what topics chosen lack for it."""

    cls: type[Strategy]
    lack: str


def context_of(form: NewExperimentForm, *, show_errors: bool) -> dict[str, Any]:
    """All of it; what is costly is worked out where a template first asks for it, and once."""
    topics = [row.choice.topic for row in form.topics.selected]
    lacking = Lacking(topics)
    needs = needs_of(form.rows, lacking)
    return {
        "form": form,
        "show_errors": show_errors,
        "rows": _rows(form, needs),
        "summary": cache(lambda: summary(form, needs)),
        "policies": POLICIES.values(),
        "offered": cache(
            lambda: [OfferedStrategy(cls, lack_words(cls, lacking)) for cls in CATALOGUE]
        ),
        "strategies": len(CATALOGUE),
    }


def parts_json(
    request: SignedInRequest, form: NewExperimentForm, context: dict[str, Any]
) -> JsonResponse:
    """The parts of the form that a script asks for by `parts`, and the state of each row."""
    wanted = [name for name in PARTS if name in request.POST.getlist("parts")]
    parts = {name: render_to_string(f"new_experiment/{name}.html", context) for name in wanted}
    return JsonResponse({"parts": parts, "rows": row_states(form)})


def row_states(form: NewExperimentForm) -> dict[str, Any]:
    """The state of each row while it is typed: how many crawlers it makes, and what is wrong
    with its values, by field."""
    return {
        row.key: {
            "variants": row.variants,
            "errors": {each.name: each.error for each in row.inputs},
        }
        for row in form.rows
    }


def _rows(form: NewExperimentForm, needs: Mapping[str, NeedsOf]) -> list[ShownRow]:
    spent = cpu_a_page(form.chosen_web)
    base = next((spent.get(row.cls.id) for row in form.rows if row.key == form.baseline), None)
    return [
        ShownRow(row, needs[row.key], _times(spent.get(row.cls.id), base), row.key == form.baseline)
        for row in form.rows
    ]


def _times(own: float | None, base: float | None) -> str:
    """`1.4 ×`; a dash where either has not been measured on the web."""
    return f"{own / base:.1f} ×" if own and base else NOTHING
