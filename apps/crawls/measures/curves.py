"""The curves of a crawl: the sample values that measures and strategies want drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.engine import evaluation
from apps.engine.curve_spec import CurveSpec
from apps.engine.evaluation import MEASURES
from apps.engine.intelligence.strategies import CATALOGUE
from apps.figures.traces import Curve


@dataclass(frozen=True, slots=True)
class ChartLine:
    """One curve; `key` is the name of its value in a crawl's samples."""

    key: str
    spec: CurveSpec

    @property
    def label(self) -> str:
        return self.spec.label

    def curve(self, x: Sequence[int] = (), y: Sequence[float | None] = ()) -> Curve:
        """The curve as it is drawn, with these values."""
        spec = self.spec
        return Curve(spec.label, spec.colour, x, y, spec.style, spec.steps)


def lines(chart: str | None = None) -> tuple[ChartLine, ...]:
    """The curves of one chart or of all: the strategies' first, then the measures'."""
    by_key = {line.key: line for line in _every_line()}
    return tuple(line for line in by_key.values() if chart in (None, line.spec.chart))


def numbers() -> tuple[str, ...]:
    """The names of all values that samples may have."""
    return (*evaluation.numbers(), *(key for strategy in CATALOGUE for key in strategy.curves))


def _every_line() -> Iterator[ChartLine]:
    for strategy in CATALOGUE:
        yield from (ChartLine(key, spec) for key, spec in strategy.curves.items())
    for measure in MEASURES:
        if measure.curve is not None:
            yield ChartLine(measure.id, measure.curve)
        yield from (ChartLine(key, spec) for key, spec in measure.more_curves.items())
