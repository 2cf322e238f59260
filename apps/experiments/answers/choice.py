"""What is to be answered: by which measure, when, against which crawler, by which test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from apps.engine.evaluation import BY_ID, MEASURES
from apps.engine.evaluation.measure import Measure
from apps.experiments.outcomes import Outcomes
from apps.experiments.paired_tests import Method
from apps.figures.quantities import count
from apps.schemas.input import Refused

AREA = "area"
OFFERED = 10


@dataclass(frozen=True, slots=True)
class Choice:
    """A measure, at a number of pages or over the whole crawl (`at` None: as area), against the
    crawler in the place `baseline`, decided by a test. `pages` is the length of a crawl."""

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


def planned(found: Outcomes) -> Choice:
    """What the design fixed before the start."""
    design = found.design
    return Choice(BY_ID[design.measure], design.moment, found.baseline, Method.TWO_TAILED,
                  design.pages)


def choose(
    found: Outcomes, *, measure: str = "", at: str = "", baseline: str = "", test: str = ""
) -> Choice:
    """The choice of an address; what is empty is as planned.

    `at` is a number of pages or `area`, `baseline` the place of a crawler, from 1. Raises Refused.
    """
    plan = planned(found)
    return Choice(
        _measure(measure) if measure else plan.measure,
        _moment(found, at) if at else plan.at,
        _baseline(found, baseline) if baseline else plan.baseline,
        _method(test) if test else plan.test,
        plan.pages,
    )


def _measure(text: str) -> type[Measure]:
    if text not in BY_ID:
        raise Refused("measure", f"Give one of {', '.join(BY_ID)}.")
    return BY_ID[text]


def _moment(found: Outcomes, text: str) -> int | None:
    if text == AREA:
        return None
    pages = _number(text)
    if pages not in found.grid:
        every = found.design.sample_every
        steps = "" if every == 1 else f" in steps of {every}"
        raise Refused("at", f"Give a number of pages from {every} to {int(found.grid[-1])}{steps},"
                      f" or {AREA}.")
    return pages


def _baseline(found: Outcomes, text: str) -> int:
    place = _number(text)
    if place is None or not 1 <= place <= len(found.crawlers):
        raise Refused("baseline", f"Give the place of a crawler, from 1 to {len(found.crawlers)}.")
    return place - 1


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _method(text: str) -> Method:
    if text not in {*Method}:
        raise Refused("test", f"Give one of {', '.join(Method)}.")
    return Method(text)


def after_start(found: Outcomes, choice: Choice) -> tuple[str, ...]:
    """What differs from the plan, of `measure`, `at`, `baseline` and `test`."""
    plan = planned(found)
    return tuple(name for name in ("measure", "at", "baseline", "test")
                 if getattr(plan, name) != getattr(choice, name))


def moments(found: Outcomes) -> tuple[int, ...]:
    """About ten numbers of pages to choose from, with the planned one and the last."""
    grid = found.grid.tolist()
    every = max(1, len(grid) // OFFERED)
    return tuple(sorted({*grid[every - 1 :: every], grid[-1], found.design.moment}))


def known_measures(found: Outcomes) -> tuple[type[Measure], ...]:
    """The measures that any finished cell has a value of."""
    every = [outcome.samples.values for cells in found.cells.values() for outcome in cells]
    return tuple(measure for measure in MEASURES
                 if any(np.isfinite(values[measure.id]).any() for values in every
                        if measure.id in values))
