"""The query string of a comparison: `?crawls=7,5&x=pages&measure=target_recall`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.http import QueryDict
from django.urls import reverse

from apps.engine.evaluation import BY_ID
from apps.experiments.results.crawls.chosen import read_numbers
from apps.experiments.results.crawls.course import CurveAxis
from apps.schemas.refused import Refused

MOST_DRAWN = 5


@dataclass(frozen=True, slots=True)
class CompareAddress:
    """`crawls` are the numbers asked for, the baseline first; `measure` is empty where none was
    chosen, and of more than five crawls those `drawn` have a colour."""

    crawls: tuple[int, ...]
    axis: CurveAxis = CurveAxis.PAGES
    measure: str = ""
    drawn: tuple[int, ...] = ()

    @classmethod
    def read(cls, asked: QueryDict) -> CompareAddress:
        """The address of a request; an axis or a measure that does not exist counts as none.

        Raises Refused where crawls are not numbers.
        """
        axis = next((axis for axis in CurveAxis if axis == asked.get("x")), CurveAxis.PAGES)
        measure = asked.get("measure", "")
        crawls = read_numbers(asked.getlist("crawls"))
        try:
            drawn = read_numbers(asked.getlist("drawn"))
        except Refused:
            drawn = ()
        return cls(crawls, axis, measure if measure in BY_ID else "", drawn)

    @property
    def coloured(self) -> tuple[int, ...]:
        """The crawls that are drawn in a colour, in their order: at most five."""
        wanted = [pk for pk in self.crawls if pk in self.drawn] or self.crawls
        return tuple(wanted[:MOST_DRAWN])

    def query(self) -> str:
        """The address as a query string."""
        parts: Mapping[str, str] = {
            "crawls": _joined(self.crawls),
            "x": "" if self.axis is CurveAxis.PAGES else self.axis.value,
            "measure": self.measure,
            "drawn": _joined(self.drawn),
        }
        return "&".join(f"{name}={value}" for name, value in parts.items() if value)

    def link(self, fragment: str = "", **changes: object) -> str:
        """The page with some of that changed."""
        wanted = replace(self, **changes)  # type: ignore[arg-type]
        return f"{reverse('compare:crawls')}?{wanted.query()}{fragment}"

    def without(self, crawl: int) -> str:
        """The page without one of the crawls."""
        return self.link(
            crawls=tuple(pk for pk in self.crawls if pk != crawl),
            drawn=tuple(pk for pk in self.drawn if pk != crawl),
        )

    def against(self, crawl: int) -> str:
        """The page with that crawl as the baseline."""
        others = (pk for pk in self.crawls if pk != crawl)
        return self.link("#by-crawl", crawls=(crawl, *others))


def _joined(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))
