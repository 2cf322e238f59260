"""The choice of a figure's data: outcomes, a number of pages, and the crawlers in colour."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from apps.engine.evaluation.significance import Estimate
from apps.engine.model import Floats
from apps.experiments.results.outcomes import Outcome, Outcomes
from apps.experiments.studies.services import NOT_STUDIED, Studied
from apps.figures.marks import GREY, MARKS, Mark
from apps.figures.quantities import number_of


@dataclass(frozen=True)
class Asked:
    """The outcomes to draw, at `pages` fetched.

    `drawn` are the indexes of the crawlers in colour, including the `baseline`; there are never
    more of them than marks. `studied` is what was measured over the pages.
    """

    outcomes: Outcomes
    pages: int
    drawn: tuple[int, ...]
    baseline: int
    studied: Studied = NOT_STUDIED

    @property
    def labels(self) -> list[str]:
        """The crawlers' names."""
        return [crawler.label for crawler in self.outcomes.crawlers]

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """One for each crawler: the first for the baseline, grey for those not drawn in colour."""
        others = [index for index in self.drawn if index != self.baseline]
        own = dict(zip([self.baseline, *others], MARKS, strict=False))
        return tuple(own.get(index, GREY) for index in range(len(self.outcomes.crawlers)))

    def with_marks_for(self, indexes: Sequence[int]) -> Asked:
        """A copy with these crawlers in colour, as far as there are marks."""
        others = [index for index in indexes if index != self.baseline]
        chosen = {*others[: len(MARKS) - 1], *({self.baseline} & {*indexes})}
        return replace(self, drawn=tuple(sorted(chosen)))

    @cached_property
    def finished(self) -> tuple[int, ...]:
        """The crawlers with a finished cell."""
        return tuple(sorted({crawler for _, crawler in self.outcomes.cells}))

    @cached_property
    def topics(self) -> tuple[int, ...]:
        """The topics with a finished cell."""
        return tuple(sorted({topic for topic, _ in self.outcomes.cells}))

    @property
    def over(self) -> str:
        """The number of topics that means are over: `20 topics`, or `up to 20 topics` if cells are
        missing."""
        whole = len(self.outcomes.cells) == len(self.topics) * len(self.finished)
        return f"{'' if whole else 'up to '}{number_of(len(self.topics), 'topic')}"

    def over_topics(
        self, crawler: int, value: Callable[[Outcome], Sequence[float] | None]
    ) -> list[Estimate]:
        """Means over the topics that a crawler has finished of what `value` computes of a cell,
        number by number; a topic counts once with the mean of its repetitions. Empty if it gives
        None for all cells."""
        rows = []
        for topic in self.topics:
            repeats = [
                each
                for cell in self.outcomes.cells.get((topic, crawler), ())
                if (each := value(cell)) is not None
            ]
            if repeats:
                rows.append(np.mean(np.array(repeats, np.float64), axis=0))
        return means_of(np.array(rows)) if rows else []

    def values(self, name: str) -> Floats:
        """A measure at these pages, topics × crawlers."""
        return self.outcomes.values(name, self.pages)


def means_of(table: Floats) -> list[Estimate]:
    """The mean of each column over the topics (rows) that have it, and the standard error."""
    defined = np.ma.masked_invalid(table)
    sizes = defined.count(axis=0)
    means = np.ma.filled(defined.mean(axis=0), np.nan)
    errors = np.ma.filled(defined.std(axis=0, ddof=1), np.nan) / np.sqrt(np.maximum(sizes, 1))
    return [
        Estimate(int(n), _finite(mean), _finite(error))
        for n, mean, error in zip(sizes, means, errors, strict=True)
    ]


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def asked_of(
    outcomes: Outcomes,
    pages: int | None = None,
    drawn: Sequence[int] | None = None,
    studied: Studied = NOT_STUDIED,
) -> Asked:
    """Without `pages` at the moment that the design names; without `drawn` the baseline and the
    first other crawlers. Pages without a sample are those of the sample before, indexes of crawlers
    that do not exist are left out."""
    there = range(len(outcomes.crawlers))
    others = [
        index
        for index in (there if drawn is None else drawn)
        if index in there and index != outcomes.baseline
    ]
    chosen = {outcomes.baseline, *others[: len(MARKS) - 1]}
    wanted = int(np.searchsorted(outcomes.grid, pages or outcomes.design.moment, side="right")) - 1
    at = outcomes.grid[max(wanted, 0)]
    in_colour = tuple(sorted(chosen & {*there}))
    return Asked(outcomes, int(at), in_colour, outcomes.baseline, studied)
