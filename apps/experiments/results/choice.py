"""The choice of a comparison: measure, number of pages, baseline and test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from apps.engine.evaluation import BY_ID, MEASURES
from apps.engine.evaluation.measure import Measure
from apps.experiments.results.outcomes import Outcomes
from apps.experiments.results.paired_tests import Method
from apps.figures.quantities import count
from apps.schemas.refused import Refused

AREA = "area"
OFFERED = 10


@dataclass(frozen=True, slots=True)
class ComparisonPlan:
    """A measure, at a number of pages or over the whole crawl (`at` None: as area), against the
    crawler with the index `baseline`, decided by a test. `pages` is the length of a crawl."""

    measure: type[Measure]
    at: int | None
    baseline: int
    test: Method
    pages: int

    @property
    def when(self) -> str:
        """The moment in words."""
        if self.at is None:
            return f"on average over {count(self.pages)} pages"
        return f"at {count(self.at)} page{'' if self.at == 1 else 's'}"

    @property
    def moment(self) -> str:
        """The moment as it is written in an address."""
        return AREA if self.at is None else str(self.at)


def planned(outcomes: Outcomes) -> ComparisonPlan:
    """The choice that the design fixed before the start."""
    design = outcomes.design
    return ComparisonPlan(
        BY_ID[design.measure], design.moment, outcomes.baseline, Method.TWO_TAILED, design.pages
    )


def choose(
    outcomes: Outcomes, *, measure: str = "", at: str = "", baseline: str = "", test: str = ""
) -> ComparisonPlan:
    """The choice of an address; what is empty is as planned.

    `at` is a number of pages or `area`, `baseline` the number of a crawler, from 1. Raises Refused.
    """
    plan = planned(outcomes)
    return ComparisonPlan(
        _measure(measure) if measure else plan.measure,
        _moment(outcomes, at) if at else plan.at,
        _baseline(outcomes, baseline) if baseline else plan.baseline,
        _method(test) if test else plan.test,
        plan.pages,
    )


def _measure(text: str) -> type[Measure]:
    if text not in BY_ID:
        raise Refused("measure", f"Give one of {', '.join(BY_ID)}.")
    return BY_ID[text]


def _moment(outcomes: Outcomes, text: str) -> int | None:
    if text == AREA:
        return None
    pages = _number(text)
    if pages not in outcomes.grid:
        every = outcomes.design.sample_every
        steps = "" if every == 1 else f" in steps of {every}"
        raise Refused(
            "at",
            f"Give a number of pages from {every} to {int(outcomes.grid[-1])}{steps}, or {AREA}.",
        )
    return pages


def _baseline(outcomes: Outcomes, text: str) -> int:
    number = _number(text)
    if number is None or not 1 <= number <= len(outcomes.crawlers):
        raise Refused(
            "baseline", f"Give the number of a crawler, from 1 to {len(outcomes.crawlers)}."
        )
    return number - 1


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _method(text: str) -> Method:
    if text not in {*Method}:
        raise Refused("test", f"Give one of {', '.join(Method)}.")
    return Method(text)


def after_start(outcomes: Outcomes, choice: ComparisonPlan) -> tuple[str, ...]:
    """The fields that differ from the plan, among `measure`, `at`, `baseline` and `test`."""
    plan = planned(outcomes)
    return tuple(
        name
        for name in ("measure", "at", "baseline", "test")
        if getattr(plan, name) != getattr(choice, name)
    )


def moments(outcomes: Outcomes) -> tuple[int, ...]:
    """About ten numbers of pages to choose from, with the planned one and the last."""
    grid = outcomes.grid.tolist()
    every = max(1, len(grid) // OFFERED)
    return tuple(sorted({*grid[every - 1 :: every], grid[-1], outcomes.design.moment}))


def available_measures(outcomes: Outcomes) -> tuple[type[Measure], ...]:
    """The measures that any finished cell has a value of."""
    every = [outcome.samples for cells in outcomes.cells.values() for outcome in cells]
    return tuple(
        measure
        for measure in MEASURES
        if any(np.isfinite(samples.column(measure.id)).any() for samples in every)
    )
