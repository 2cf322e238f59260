"""The declaration of a live chart. Its curves are those of the measures and strategies that name
it; the page, its messages, the list of crawls and the help read the rest here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from apps.crawls.measures.curves import ChartLine, lines
from apps.crawls.models import Crawl
from apps.engine.evaluation.measure import Unit
from apps.figures.axis import Axis, pages_fetched
from apps.figures.figure import Figure

Metrics = Mapping[str, Any]


class SampleColumns(Protocol):
    """A crawl's samples as columns by name; NaN where a value is unknown."""

    @property
    def pages(self) -> Sequence[int]: ...
    @property
    def columns(self) -> Mapping[str, Sequence[float]]: ...

    def has(self, key: str) -> bool: ...


def _silent(*given: object) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class SparklineColumn:
    """A sparkline in lists of crawls: the first of the curves `keys` that a crawl has values of."""

    title: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A plot over the pages fetched.

    `summary` is a sentence for the help, followed there by `how_to_read`. `empty` is shown inside
    the axes if nothing can be drawn; `remedy` under it links to `remedy_field` of the topic, which
    would change that. `beside` returns words to show next to the newest value, from the newest
    sample; `note` is where a crawl's values come from or are heading, for which it may read the
    values `reads` besides those drawn. `titles` are others, by the name of the first curve that has
    values. `columns` are its sparklines in lists of crawls.
    """

    id: str
    title: str
    summary: str
    unit: Unit
    colour: str
    empty: str
    how_to_read: str = ""
    remedy: str = ""
    remedy_field: str = ""
    beside: Callable[[Metrics], str] = _silent
    note: Callable[[Crawl, SampleColumns], str] = _silent
    reads: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    columns: tuple[SparklineColumn, ...] = ()

    @property
    def main(self) -> ChartLine | None:
        """The curve whose newest value represents the chart."""
        return next(iter(self.lines), None)

    @property
    def lines(self) -> tuple[ChartLine, ...]:
        return lines(self.id)

    def figure(self) -> Figure:
        """Its axes and curves, without their values."""
        curves = tuple(line.curve() for line in self.lines)
        return Figure(pages_fetched(), Axis(unit=self.unit), curves)
