"""Observations of several crawlers, in one form for experiments and for tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from apps.engine.model import Floats
from apps.figures.quantities import number_of

Unit = Literal["share", "score", "count", "log", "seconds"]
Part = Literal["all", "hardest", "easiest"]
Span = tuple[float, float]
"""A stretch of a crawl, as shares of its budget."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a crawl by its id, with its title in tables and its unit."""

    id: str
    title: str
    unit: Unit = "share"


@dataclass(frozen=True)
class Observed:
    """The numbers of crawlers on cases, which are topics or, in a table, universities and the like.

    `end` maps each quantity to its values at the end of the crawls, cases × crawlers, NaN where
    unknown; `during` has their means over stretches of the crawls, for those that have a course.
    `parts` has the rows of the hardest and of the easiest cases, where a table has them. A test is
    made from `fewest` cases on.
    """

    case: str
    cases: int
    crawlers: tuple[str, ...]
    end: Mapping[str, Floats]
    fewest: int
    during: Mapping[Span, Mapping[str, Floats]] = field(default_factory=dict)
    parts: Mapping[Part, Sequence[int]] = field(default_factory=dict)

    def column(
        self, quantity: str, crawler: str, during: Span | None = None, part: Part = "all"
    ) -> Floats:
        """The values of a crawler in all cases, or in those of a part, at the end or `during` a
        stretch; NaN where unknown."""
        tables = self.end if during is None else self.during.get(during, {})
        table = tables.get(quantity)
        if table is None:
            return np.full(self.cases, np.nan)
        column: Floats = table[:, self.crawlers.index(crawler)]
        return column if part == "all" else column[list(self.parts.get(part, ()))]

    def count_words(self, number: int) -> str:
        """`1 topic`, `4 universities`."""
        return number_of_cases(number, self.case)


def number_of_cases(number: int, case: str) -> str:
    """`1 topic`, `4 universities`."""
    ends_in_y = number != 1 and case.endswith("y")
    return number_of(number, case) if not ends_in_y else f"{number:,} {case[:-1]}ies"


FEWEST_OF_A_TABLE = 3
"""A paper's table has as many cases as its data: HCLA tests over four universities."""


def observed_in_table(
    case: str, cases: Sequence[str], values: Mapping[tuple[str, str, str], float]
) -> Observed:
    """The observations of a table; `values` has a number for each (case, crawler, quantity)
    observed."""
    crawlers = tuple(dict.fromkeys(crawler for _, crawler, _ in values))
    rows = {name: index for index, name in enumerate(cases)}
    columns = {name: index for index, name in enumerate(crawlers)}
    end: dict[str, Floats] = {}
    for (name, crawler, quantity), value in values.items():
        table = end.setdefault(quantity, np.full((len(rows), len(columns)), np.nan))
        table[rows[name], columns[crawler]] = value
    return Observed(case, len(rows), crawlers, end, FEWEST_OF_A_TABLE)
