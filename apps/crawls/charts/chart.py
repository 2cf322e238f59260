"""What a live chart says of itself. Its curves are those of the measures and strategies that name
it; the page, its messages, the list of crawls and the help read the rest here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from apps.crawls.measures.curves import Line, lines
from apps.crawls.models import Crawl
from apps.engine.evaluation.measure import Unit
from apps.figures.axis import Axis, pages_fetched
from apps.figures.figure import Figure

Metrics = Mapping[str, Any]


class Samples(Protocol):
    """A crawl's samples in columns, by the name of the number; NaN where it is unknown."""

    pages: list[int]
    columns: dict[str, list[float]]

    def has(self, key: str) -> bool: ...


def _silent(*given: object) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Chart:
    """A plot over the pages fetched.

    `summary` is a sentence for the help. `empty` stands inside the axes where nothing can be
    drawn; `remedy` under it leads to `remedy_field` of the topic, where one would mend it.
    `beside` gives words to stand by the newest value, from the newest sample; `note` says where
    a crawl's numbers come from or are heading, for which it may read the numbers `reads` besides
    those drawn. `title_without` stands over the other curves where the main one has no values.
    `listed` charts have a sparkline in lists of crawls.
    """

    id: str
    title: str
    summary: str
    unit: Unit
    colour: str
    empty: str
    remedy: str = ""
    remedy_field: str = ""
    beside: Callable[[Metrics], str] = _silent
    note: Callable[[Crawl, Samples], str] = _silent
    reads: tuple[str, ...] = ()
    title_without: str = ""
    listed: bool = False

    @property
    def main(self) -> Line | None:
        """The curve whose newest value stands for the chart."""
        return next(iter(self.lines), None)

    @property
    def lines(self) -> tuple[Line, ...]:
        return lines(self.id)

    def figure(self) -> Figure:
        """Its axes and curves, without their values."""
        curves = tuple(line.curve() for line in self.lines)
        return Figure(pages_fetched(), Axis(unit=self.unit), curves)
