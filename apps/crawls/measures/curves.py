"""The curves of a crawl: the sample values that measures and strategies want drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.engine.drawing import Drawn
from apps.engine.evaluation import COUNTS, MEASURES
from apps.engine.intelligence.strategies import CATALOGUE
from apps.figures.traces import Curve


@dataclass(frozen=True, slots=True)
class Line:
    """One curve; `key` is the name of its value in a crawl's samples."""

    key: str
    drawn: Drawn

    @property
    def label(self) -> str:
        return self.drawn.label

    def curve(self, x: Sequence[int] = (), y: Sequence[float | None] = ()) -> Curve:
        """The curve as it is drawn, with these values."""
        drawn = self.drawn
        return Curve(drawn.label, drawn.colour, x, y, drawn.style, drawn.steps)


def lines(chart: str | None = None) -> tuple[Line, ...]:
    """The curves of one chart or of all: the strategies' first, then the measures'."""
    found = {line.key: line for line in _every_line()}
    return tuple(line for line in found.values() if chart in (None, line.drawn.chart))


def numbers() -> tuple[str, ...]:
    """The names of all values that samples may have."""
    return (*(measure.id for measure in MEASURES), *COUNTS,
            *(key for strategy in CATALOGUE for key in strategy.drawn))  # fmt: skip


def _every_line() -> Iterator[Line]:
    for strategy in CATALOGUE:
        yield from (Line(key, drawn) for key, drawn in strategy.drawn.items())
    for measure in MEASURES:
        if measure.drawn is not None:
            yield Line(measure.id, measure.drawn)
