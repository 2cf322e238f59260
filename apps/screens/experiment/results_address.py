"""The query string of results: `?part=results&measure=…&at=500&baseline=1`."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from django.http import QueryDict

from apps.experiments.results.choice import ComparisonPlan, choose
from apps.experiments.results.outcomes import Outcomes
from apps.figures.marks import MARKS
from apps.screens.addresses import query_string
from apps.screens.experiment.parts import RESULTS


@dataclass(frozen=True, slots=True)
class ResultsAddress:
    """Texts as they are given; empty fields take the design's values. `drawn` are the numbers of
    the crawlers in colour, from 1, `topics` that of the one compared topic by topic."""

    measure: str = ""
    at: str = ""
    baseline: str = ""
    test: str = ""
    drawn: str = ""
    topics: str = ""

    @classmethod
    def read(cls, asked: QueryDict) -> ResultsAddress:
        """The address of a request."""
        values = {field.name: asked.get(field.name, "")[:60] for field in fields(cls)}
        return cls(**{**values, "drawn": ",".join(asked.getlist("drawn"))[:400]})

    def query(self, **changes: Any) -> str:
        """The address as a query string, with these changes."""
        return query_string(replace(self, **changes))

    def link(self, fragment: str = "", **changes: Any) -> str:
        """The results with some of that changed."""
        return f"?part={RESULTS}&{self.query(**changes)}".rstrip("&") + fragment

    def hidden_fields(self, *without: str) -> list[tuple[str, str]]:
        """The hidden fields that a form must send besides those named."""
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        return [
            ("part", RESULTS),
            *((name, value) for name, value in values if value and name not in without),
        ]

    def choice(self, results: Outcomes) -> ComparisonPlan:
        """The choice of the comparison. Raises Refused."""
        return choose(
            results, measure=self.measure, at=self.at, baseline=self.baseline, test=self.test
        )

    def coloured(self, results: Outcomes, baseline: int) -> tuple[int, ...]:
        """The indexes of the crawlers in colour, the baseline first: at most as many as there are
        marks; the first ones unless others are chosen."""
        there = range(len(results.crawlers))
        wanted = [
            int(text) - 1
            for text in self.drawn.split(",")
            if text.isdecimal() and len(text) < 5 and int(text) - 1 in there
        ]
        others = [index for index in dict.fromkeys(wanted or there) if index != baseline]
        return (baseline, *others[: len(MARKS) - 1])
